//! One operator over inputs of some types: its results in every layout, and in every way. All ways must agree.

use reduce_core::dtypes::with_dtype;
use reduce_core::nodes::{AnyData, AnyPlaces, Call, PlannedCall, PlannedCallEmission};
use reduce_core::planning::Layout;
use reduce_core::{AnyTensor, AnyView, Error, Tensor};

use super::layouts::InputLayout;
use super::mix::Digest;
use super::subjects::Subject;
use super::values::{bits, buffer, view};
use super::ways::Way;

/// The number that stands for an error in place of results. No tensor has this many elements.
const ERROR: u64 = u64::MAX;

/// What was found of one operator and its types.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) digest: Digest,
    /// How many reductions were run.
    pub(super) runs: usize,
    /// A sentence for each way that gave other bits than the first.
    pub(super) differences: Vec<String>,
}

impl Default for Finding {
    fn default() -> Self {
        Finding { digest: Digest::NONE, runs: 0, differences: Vec::new() }
    }
}

impl Finding {
    /// Runs over one input in some ways, and takes up the numbers that the first of them gives.
    ///
    /// # Errors
    /// The sentence says why it cannot be run.
    pub(super) fn add(
        &mut self,
        ways: &[Way],
        run: impl Fn(&Way) -> Result<Vec<u64>, Error>,
        about: impl Fn() -> String,
    ) -> Result<(), String> {
        let run = |way: &Way| run(way).map_err(|error| format!("{}: {way}: {error}", about()));
        let Some((first, others)) = ways.split_first() else { return Ok(()) };
        let numbers = run(first)?;
        for way in others {
            let other = run(way)?;
            if other != numbers {
                let (about, difference) = (about(), difference(&numbers, &other));
                self.differences.push(format!("{about}: {difference}: {way}, against {first}"));
            }
        }
        self.runs += ways.len();
        self.digest = self.digest.and_all(&numbers);
        Ok(())
    }
}

/// Which ways are taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    /// Each input is reduced in all ways.
    All,
    /// Each input is reduced in one way, the next in the next one; the number is that of the first.
    InTurn(usize),
}

impl Choice {
    /// The ways in which an input is reduced.
    pub(super) fn of(self, ways: &[Way], input: usize) -> &[Way] {
        match self {
            Choice::All => ways,
            Choice::InTurn(first) => {
                ways.chunks(1).nth((first + input) % ways.len()).unwrap_or(&[])
            }
        }
    }
}

/// Runs an operator over all layouts.
///
/// # Errors
/// The sentence says what cannot be run over a layout, or what is wrong with it.
pub(super) fn found(
    subject: &Subject,
    layouts: &[InputLayout],
    ways: &[Way],
    choice: Choice,
) -> Result<Finding, String> {
    let mut found = Finding::default();
    for (index, layout) in layouts.iter().enumerate() {
        let Some(call) = subject.call(&layout.axes)? else { continue };
        let inputs = (0..).zip(&subject.dtypes);
        let buffers: Vec<_> = inputs.map(|(input, dtype)| buffer(layout, *dtype, input)).collect();
        let views = buffers.iter().map(|buffer| view(layout, buffer));
        let views = views.collect::<Result<Vec<_>, _>>()?;
        let about = || format!("{}, layout `{}`", subject.name(), layout.text);
        let run = |way: &Way| match run(&call, &views, way, subject.emits) {
            Ok(results) => Ok(numbers(&results)),
            // A set without elements may have no result.
            Err(_) if layout.length() == 0 => Ok(vec![ERROR]),
            Err(error) => Err(error),
        };
        found.add(choice.of(ways, index), run, about)?;
    }
    Ok(found)
}

/// The numbers of results: of each tensor the number of its elements, and then their bits.
pub(super) fn numbers(results: &[AnyTensor]) -> Vec<u64> {
    let of_each = results.iter().map(bits);
    of_each.flat_map(|bits| [vec![bits.len() as u64], bits].concat()).collect()
}

/// Where two lists of numbers differ first, in words.
fn difference(first: &[u64], other: &[u64]) -> String {
    match first.iter().zip(other).position(|(a, b)| a != b) {
        Some(place) => format!("number {place} is {:x} and not {:x}", other[place], first[place]),
        None => format!("{} numbers and not {}", other.len(), first.len()),
    }
}

/// The results of a call in one way.
fn run(
    call: &Call,
    inputs: &[AnyView<'_>],
    way: &Way,
    emits: bool,
) -> Result<Vec<AnyTensor>, Error> {
    let call = call.clone().level(way.level).threads(way.threads.clone());
    if way.planned {
        return run_planned(&call, inputs, emits);
    }
    if emits { Ok(vec![call.emit(inputs)?]) } else { call.run_all(inputs, None) }
}

/// The results of a call that is planned for the layouts of its inputs, and then given their buffers.
fn run_planned(call: &Call, inputs: &[AnyView<'_>], emits: bool) -> Result<Vec<AnyTensor>, Error> {
    let layouts: Vec<Layout> = inputs.iter().map(Layout::from).collect();
    let data: Vec<AnyData<'_>> = inputs.iter().map(AnyData::from).collect();
    if emits {
        let planned: PlannedCallEmission = call.plan_emission(&layouts)?;
        let mut output = blank(planned.output())?;
        planned.run(&data, &mut (&mut output).into())?;
        return Ok(vec![output]);
    }
    let planned: PlannedCall = call.plan(&layouts)?;
    let mut outputs = planned.outputs().map(blank).collect::<Result<Vec<_>, _>>()?;
    let mut layouts: Vec<AnyPlaces<'_>> = outputs.iter_mut().map(AnyPlaces::from).collect();
    planned.run(&data, &mut layouts)?;
    drop(layouts);
    Ok(outputs)
}

/// A tensor for results.
fn blank(layout: &Layout) -> Result<AnyTensor, Error> {
    let dims = layout.shape().dims();
    with_dtype!(layout.dtype(), T => {
        Ok(Tensor::new(vec![T::default(); layout.shape().count()], dims)?.into())
    })
}

#[cfg(test)]
mod tests {
    use super::super::ways::Ways;
    use super::{Choice, Finding};

    #[test]
    fn other_bits_are_told() {
        let ways = Ways::of_this_machine().all;
        let mut found = Finding::default();
        let run = |way: &super::Way| Ok(vec![5, if way.planned { 7 } else { 6 }]);
        found.add(&ways, run, || "X f32, layout `y`".to_owned()).expect("no errors");
        assert_eq!((found.runs, found.differences.len()), (ways.len(), ways.len() / 2));
        let told = &found.differences[0];
        assert!(
            told.starts_with(
                "X f32, layout `y`: number 1 is 7 and not 6: scalar, 1 thread, planned"
            ),
            "{told}"
        );
        // What the first way gives is the number.
        let mut first = Finding::default();
        first.add(&ways[..1], run, String::new).expect("no errors");
        assert_eq!(found.digest, first.digest);
    }

    #[test]
    fn ways_are_taken_in_turn() {
        let ways = Ways::of_this_machine().all;
        let words = |input| {
            Choice::InTurn(3).of(&ways, input).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(Choice::All.of(&ways, 0).len(), ways.len());
        assert_eq!(words(0), [ways[3 % ways.len()].to_string()]);
        assert_eq!(words(ways.len() + 1), [ways[4 % ways.len()].to_string()]);
    }
}
