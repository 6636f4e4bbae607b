//! Speed against a size, as curves.

use super::super::roofline::Roofs;
use super::super::sweep::{Curve, Direction};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 320.0;
/// Where the axes cross, and where they end.
const LEFT: f64 = 48.0;
const BOTTOM: f64 = 284.0;
const RIGHT: f64 = 948.0;
const TOP: f64 = 28.0;

/// From numbers to places in the picture.
struct Scale {
    longest: f64,
    fastest: f64,
}

impl Scale {
    fn x(&self, size: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * size / self.longest
    }

    fn y(&self, speed: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * speed / self.fastest
    }
}

/// The curves of a direction in one picture; nothing if there are none.
pub(super) fn figure(curves: &[Curve<'_>], direction: Direction, roofs: &Roofs) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let Some((_, middle)) = points().nth(points().count() / 2) else { return String::new() };
    let roof = roofs.at(middle.bytes);
    let speeds = points().map(|(_, row)| row.speed()).chain(roof);
    let scale = Scale {
        longest: points().map(|(size, _)| *size as f64).fold(1.0, f64::max),
        fastest: speeds.fold(0.0, f64::max) * 1.05,
    };
    let several = curves.len() as f64;
    let coloured =
        || curves.iter().enumerate().map(|(place, curve)| (curve, colour(place as f64 / several)));
    let names = coloured().map(|(curve, colour)| name(curve, &colour)).collect::<String>();
    let mut text = opening(direction, &names);
    text.push_str(&grid(&scale));
    if let Some(roof) = roof {
        let y = scale.y(roof);
        text.push_str(&format!(
            "<line class=\"roof\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n\
             <text x=\"{RIGHT}\" y=\"{:.1}\" text-anchor=\"end\">roofline {roof:.1}</text>\n",
            y - 5.0
        ));
    }
    coloured().for_each(|(curve, colour)| text.push_str(&drawn(curve, &scale, &colour)));
    let captions = curves.iter().filter_map(Curve::worst_step).map(|line| line + "<br/>\n");
    text.push_str(&format!(
        "</svg></div>\n<figcaption>{}</figcaption>\n",
        captions.collect::<String>()
    ));
    text.push_str("</figure>\n");
    text
}

/// The heading, and the names of the curves: above the picture, which on a narrow screen is wider than that.
fn opening(direction: Direction, names: &str) -> String {
    let (title, axis) = match direction {
        Direction::Rows => ("Rows of every length, each reduced", "row length"),
        Direction::Columns => ("Every number of columns, each reduced", "columns"),
    };
    format!(
        "<h2>{title}</h2>\n<figure>\n<p class=\"names\">\n{names}</p>\n<div class=\"wide\">\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
         <text x=\"{LEFT}\" y=\"14\">GB/s</text>\n\
         <text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{axis}</text>\n",
        HEIGHT - 4.0
    )
}

/// Lines at round numbers, with the numbers.
fn grid(scale: &Scale) -> String {
    let mut text = String::new();
    for speed in ticks(scale.fastest, 8.0) {
        let y = scale.y(speed);
        text.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{speed}</text>\n",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    for size in ticks(scale.longest, 16.0) {
        let x = scale.x(size);
        text.push_str(&format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>\n",
            BOTTOM + 16.0
        ));
    }
    text
}

/// About `about` round numbers from 0 to a limit. They are multiples of 1, 2 or 5
/// and a power of ten.
fn ticks(limit: f64, about: f64) -> impl Iterator<Item = f64> {
    let rough = (limit / about).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power);
    let step = step.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
    // Dividing by what a fraction of a step is keeps 0.3 from being 0.30000000000000004.
    let number = move |count: u32| {
        if step < 1.0 { f64::from(count) / (1.0 / step).round() } else { f64::from(count) * step }
    };
    (0..50).map(number).take_while(move |tick| *tick <= limit)
}

/// The colour of a curve, by its place among all, from 0 to 1.
fn colour(place: f64) -> String {
    format!("hsl({:.0} 70% var(--l))", 210.0 + 360.0 * place)
}

fn name(curve: &Curve<'_>, colour: &str) -> String {
    format!("<span style=\"color:{colour}\">{} {}</span>\n", curve.op, curve.dtype)
}

/// A curve, and points to ask for their numbers.
fn drawn(curve: &Curve<'_>, scale: &Scale, colour: &str) -> String {
    let mut path = String::new();
    let mut points = String::new();
    for (size, row) in &curve.points {
        let (x, y) = (scale.x(*size as f64), scale.y(row.speed()));
        path.push_str(&format!("{x:.1},{y:.1} "));
        points.push_str(&format!(
            "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" style=\"fill:{colour}\">\
             <title>{} {}: {size}, {:.1} GB/s</title></circle>\n",
            curve.op,
            curve.dtype,
            row.speed()
        ));
    }
    format!(
        "<polyline class=\"curve\" style=\"stroke:{colour}\" points=\"{}\"/>\n{points}",
        path.trim_end(),
    )
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_and_few() {
        assert!(ticks(110.0, 5.0).eq([0.0, 50.0, 100.0]));
        assert!(ticks(0.9, 5.0).eq([0.0, 0.2, 0.4, 0.6, 0.8]));
        for exponent in -12..12 {
            let limit = 3.7 * 10f64.powi(exponent);
            assert!((2..=13).contains(&ticks(limit, 5.0).count()), "{limit}");
        }
        assert_eq!(ticks(0.0, 5.0).count(), 1);
    }
}
