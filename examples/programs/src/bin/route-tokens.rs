//! Routing in a mixture of experts: the experts of each token, their shares, and the tokens of each expert.
//!
//! A router gives each token a number for each expert. The token goes to the `K` experts with the largest, and their results
//! are mixed by the softmax of these `K` numbers. Both are one operator here, in one pass over the numbers. Its
//! accumulator and steps are those of the gallery's `TopK`; the last step turns what was found into shares.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin route-tokens           1000 tokens, 16 experts
//! cargo run --release -p reduce-programs --bin route-tokens -- 8 4    8 tokens, 4 experts
//! ```

use reduce_core::{Indexed, Ordered, Real, ReduceOp, Reduction, View, reduce_op};
use reduce_gallery::TopK;
use reduce_programs::{Failure, noise, size};

/// The shares of the `K` largest elements, by the softmax of these alone, and their positions.
#[derive(Clone, Copy, Debug, Default)]
struct Route<const K: usize>;

#[reduce_op(dtypes = [f32], nan = unspecified, empty = error)]
impl<A: Real + Ordered, const K: usize> ReduceOp<Indexed<A>> for Route<K> {
    type Acc = [Indexed<A>; K];
    type Output = ([A; K], [i64; K]);

    fn identity(&self) -> [Indexed<A>; K] {
        ReduceOp::<Indexed<A>>::identity(&TopK::<K>)
    }

    fn map(&self, x: Indexed<A>) -> [Indexed<A>; K] {
        TopK::<K>.map(x)
    }

    fn enters(&self, acc: &[Indexed<A>; K], x: Indexed<A>) -> bool {
        TopK::<K>.enters(acc, x)
    }

    fn push_into(&self, acc: &mut [Indexed<A>; K], x: Indexed<A>) {
        TopK::<K>.push_into(acc, x);
    }

    fn combine(&self, a: [Indexed<A>; K], b: [Indexed<A>; K]) -> [Indexed<A>; K] {
        ReduceOp::<Indexed<A>>::combine(&TopK::<K>, a, b)
    }

    fn finalize(&self, largest: [Indexed<A>; K], count: usize) -> ([A; K], [i64; K]) {
        let (values, places) = TopK::<K>.finalize(largest, count);
        let exponentials = values.map(|x| (x - values[0]).exp_nonpositive());
        let sum = exponentials.iter().fold(A::ZERO, |sum, &x| sum + x);
        (exponentials.map(|x| x / sum), places)
    }
}

fn main() -> Result<(), Failure> {
    const K: usize = 2;
    let tokens = size(1, "tokens", 1000, 1..=100_000)?;
    let experts = size(2, "experts", 16, K..=1024)?;
    let logits: Vec<f32> = noise(3).take(tokens * experts).collect();

    let route = Reduction::new(Route::<K>).axes([1]);
    let (shares, chosen) = route.run(&View::new(&logits, &[tokens, experts])?)?;
    // Both have the shape [tokens, K]. Tokens of an expert stand one behind another in its batch, in their order.
    let mut batches = vec![Vec::new(); experts];
    for (token, experts) in chosen.data().chunks(K).enumerate() {
        for (rank, &expert) in experts.iter().enumerate() {
            batches[usize::try_from(expert)?].push((token, shares.data()[K * token + rank]));
        }
    }
    for (expert, batch) in batches.iter().enumerate() {
        let first: Vec<String> =
            batch.iter().take(4).map(|(token, share)| format!("{token} ({share:.3})")).collect();
        let more = if batch.len() > 4 { ", .." } else { "" };
        println!("expert {expert:2}: {:4} tokens: {}{more}", batch.len(), first.join(", "));
    }
    println!(
        "{} places for {tokens} tokens; shares add up to {}",
        chosen.data().len(),
        shares.data().iter().sum::<f32>()
    );
    Ok(())
}
