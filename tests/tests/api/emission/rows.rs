//! All stages are done for some rows before the next rows.

use reduce_core::{Reduction, View};
use reduce_tests::cases::available;

use super::ops::{
    LessAlternating, LessDot, LessMin, LessSum, LessWeighted, PlusMax, PlusPlace, Spelled,
};

/// These sizes lie around the copies of a result that are written at once, a step, and the longest
/// row whose result is repeated. Others lie around a batch of rows, and the longest row that is
/// done in this way.
const SIZES: [usize; 18] =
    [2, 4, 5, 8, 9, 15, 16, 17, 31, 32, 48, 49, 63, 64, 100, 257, 2048, 2049];

/// Small integers, different in each row.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|index| f32::from(u8::try_from(index * 31 % 197).expect("small"))).collect()
}

/// The second input is each of: as large, a row for all, and one element for each row.
#[test]
fn of_two_inputs() {
    for size in SIZES {
        let shape = [19, size];
        let (x, y) = (numbers(19 * size), numbers(19 * size + 5)[5..].to_vec());
        let x_view = View::new(&x, &shape).expect("its shape");
        let whole = View::new(&y, &shape).expect("its shape");
        let row = View::new(&y[..size], &[size]).expect("its shape");
        let column = View::new(&y[..19], &[19, 1]).expect("its shape");
        type Place = fn(usize, usize) -> usize;
        let places: [Place; 3] = [|index, _| index, |index, size| index % size, |i, size| i / size];
        for (second, place) in [whole, row, column].into_iter().zip(places) {
            let products: Vec<f64> = (0..x.len())
                .map(|index| f64::from(x[index]) * f64::from(y[place(index, size)]))
                .collect();
            for level in available() {
                let less = Reduction::new(LessDot).axes([1]).level(level);
                let found = less.emit(&(x_view.clone(), second.clone())).expect("elements");
                for (row, products) in found.data().chunks(size).zip(products.chunks(size)) {
                    let sum: f64 = products.iter().sum();
                    for (&found, product) in row.iter().zip(products) {
                        let off = (f64::from(found) - (product - sum)).abs();
                        assert!(off <= 1e-6 * sum.max(1.0), "{size}: {found}, {product} - {sum}");
                    }
                }
            }
        }
    }
}

/// Rows with gaps between them, and rows in another order.
#[test]
fn that_lie_apart() {
    for size in SIZES {
        let data = numbers(21 * (size + 3));
        let all = View::new(&data, &[21, size + 3]).expect("its shape");
        let rows =
            all.slice(1, 2, size + 2, 1).expect("within").slice(0, 0, 21, -2).expect("within");
        let starts = (0..11).map(|row| (20 - 2 * row) * (size + 3) + 2);
        let mut expected = Vec::new();
        for row in starts.map(|start| &data[start..start + size]) {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let least = row.iter().copied().fold(f32::INFINITY, f32::min);
            expected.extend(row.iter().map(|x| x + most - (least + most)));
        }
        for level in available() {
            let both = Reduction::new(PlusMax).then(LessMin).axes([1]).level(level);
            assert!(both.emit(&rows).expect("elements").data() == expected, "{size} at {level}");
        }
    }
}

/// A NaN changes its own row only, also where the steps of others read it.
#[test]
fn nan_stays_in_its_row() {
    for size in SIZES {
        for place in [0, size - 1] {
            let mut data = numbers(19 * size);
            data[7 * size + place] = f32::NAN;
            let view = View::new(&data, &[19, size]).expect("its shape");
            for level in available() {
                let both = Reduction::new(PlusMax).then(LessMin).axes([1]).level(level);
                let found = both.emit(&view).expect("elements");
                for (row, found) in found.data().chunks(size).enumerate() {
                    assert!(found.iter().all(|x| x.is_nan() == (row == 7)), "{size} at {level}");
                }
            }
        }
    }
}

/// An operator whose elements must stay in order, and one that selects.
#[test]
fn of_other_kinds_of_operators() {
    for size in SIZES {
        let digit = |index: usize| i32::try_from(index * 7 % 10).expect("a digit");
        let digits: Vec<i32> = (0..19 * size).map(digit).collect();
        let view = View::new(&digits, &[19, size]).expect("its shape");
        for level in available() {
            let spelled = Reduction::new(Spelled).axes([1]).level(level).emit(&view);
            let spelled = spelled.expect("elements");
            for (row, found) in digits.chunks(size).zip(spelled.data().chunks(size)) {
                let behind =
                    |number: i32, digit: &i32| number.wrapping_mul(10).wrapping_add(*digit);
                let number = row.iter().fold(0, behind);
                assert!(
                    row.iter().zip(found).all(|(x, found)| behind(number, x) == *found),
                    "{size}"
                );
            }
            let placed = Reduction::new(PlusPlace).axes([1]).level(level).emit(&view);
            let placed = placed.expect("elements");
            for (row, found) in digits.chunks(size).zip(placed.data().chunks(size)) {
                let least = row.iter().min();
                let place = row.iter().position(|x| Some(x) == least).expect("one of them");
                let place = i32::try_from(place).expect("small");
                assert!(row.iter().zip(found).all(|(x, found)| x + place == *found), "{size}");
            }
        }
    }
}

/// Three operators run behind another one: the first wants positions, the second selects, and the
/// third needs its elements in order.
#[test]
fn of_other_kinds_behind_another() {
    for size in SIZES {
        let digits: Vec<f64> = numbers(19 * size).into_iter().map(f64::from).collect();
        let view = View::new(&digits, &[19, size]).expect("its shape");
        let mut expected = [const { Vec::new() }; 3];
        for row in digits.chunks(size) {
            let sum: f64 = row.iter().sum();
            let rest: Vec<f64> = row.iter().map(|x| x - sum).collect();
            let places = || (0..).map(f64::from);
            let weighted: f64 = places().zip(&rest).map(|(place, x)| place * x).sum();
            let least = rest.iter().copied().fold(f64::INFINITY, f64::min);
            let place = places().zip(&rest).find(|&(_, &x)| x == least).expect("one of them").0;
            let alternating = rest.iter().fold(0.0, |sum, x| x - sum);
            for (expected, off) in expected.iter_mut().zip([-weighted, place, -alternating]) {
                expected.extend(rest.iter().map(|x| x + off));
            }
        }
        for level in available() {
            let first = Reduction::new(LessSum).axes([1]).level(level);
            let found = [
                first.clone().then(LessWeighted).emit(&view),
                first.clone().then(PlusPlace).emit(&view),
                first.then(LessAlternating).emit(&view),
            ];
            for (found, expected) in found.into_iter().zip(&expected) {
                assert_eq!(found.expect("elements").data(), expected, "{size} at {level}");
            }
        }
    }
}
