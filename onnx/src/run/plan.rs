//! Programs that are planned for types of inputs, and run.

use reduce_core::{DType, Level};

use super::execute::run;
use super::inputs::{Input, Sizes};
use super::program::Program;
use super::schedule::Schedule;
use super::types::Types;
use super::value::Value;
use crate::error::{Error, ErrorKind};

/// A program whose steps are known, for inputs of certain types.
#[derive(Debug)]
pub struct Plan<'p> {
    program: &'p Program<'p>,
    types: Types,
    schedule: Schedule,
    level: Level,
}

impl Program<'_> {
    /// Runs the program over values of the names of its inputs; the results, in the order of its outputs.
    ///
    /// Chains of nodes that are one operator are run in one pass. That is faster, cannot overflow on the way, and may round
    /// less often than node by node. All values that are held at a time may take 16 times the bytes of inputs and constants,
    /// and 256 MiB.
    ///
    /// # Errors
    /// If the values are not those that the model declares, or one is missing, unknown or given twice
    /// ([`ErrorKind::Inputs`]); and if the model cannot be run over them ([`ErrorKind::Invalid`]), in a sentence that names the
    /// node.
    pub fn run<'a, 'n>(
        &self,
        inputs: impl IntoIterator<Item = (&'n str, Value<'a>)>,
    ) -> Result<Vec<Value<'a>>, Error> {
        let mut values: Vec<Option<Value<'a>>> = vec![None; self.inputs().len()];
        let mut sizes = Sizes::default();
        for (name, value) in inputs {
            let place = self.input(name)?;
            sizes.check(&self.inputs()[place], &value)?;
            if values[place].replace(value).is_some() {
                let sentence = format!("input `{name}` is given twice");
                return Err(Error::new(ErrorKind::Inputs, sentence));
            }
        }
        let dtypes: Vec<_> = values.iter().map(|value| Some(value.as_ref()?.dtype())).collect();
        self.plan(&dtypes, true)?.run(values)
    }

    /// The steps of the program over inputs of these types, in their order; nothing, where an input is not given or its type
    /// not known. `joins` says whether chains of nodes that are one operator are joined.
    ///
    /// # Errors
    /// If a reduction is not for the type that it reads ([`ErrorKind::Invalid`]).
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_onnx::{Model, Program};
    ///
    /// let model = Model::open("data/rms.onnx")?;
    /// let program = Program::new(&model)?;
    /// let plan = program.plan(&[Some(DType::F32)], true)?;
    /// assert!(plan.explain().starts_with("step 1: "));
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    pub fn plan(&self, dtypes: &[Option<DType>], joins: bool) -> Result<Plan<'_>, Error> {
        let types = Types::new(self, dtypes)?;
        let schedule = Schedule::new(self, &types, joins);
        Ok(Plan { program: self, types, schedule, level: Level::best() })
    }
}

impl Plan<'_> {
    /// The same plan, whose reductions run at this CPU level. Every level gives the same bits.
    #[must_use]
    pub fn level(self, level: Level) -> Self {
        Plan { level, ..self }
    }

    /// Whether any nodes are joined.
    pub fn joins(&self) -> bool {
        self.schedule.joins()
    }

    /// The plan in words: a line for each step, and one for each node that might have been joined.
    pub fn explain(&self) -> String {
        self.schedule.explain(self.program, &self.types)
    }

    /// What the program gives for these inputs, in the order of its outputs. Values are not copied: outputs may be inputs, and
    /// the same any number of times.
    ///
    /// # Errors
    /// If there are more or fewer values than inputs, or one is missing ([`ErrorKind::Inputs`]); and if the model cannot be run
    /// over them ([`ErrorKind::Invalid`]), in a sentence that names the node.
    pub fn run<'a>(&self, inputs: Vec<Option<Value<'a>>>) -> Result<Vec<Value<'a>>, Error> {
        let declared = self.program.inputs();
        if inputs.len() != declared.len() {
            let (expected, found) = (declared.len(), inputs.len());
            let sentence = format!("the model has {expected} inputs, and {found} values are given");
            return Err(Error::new(ErrorKind::Inputs, sentence));
        }
        let is_missing = |(input, value): &(&Input<'_>, &Option<Value<'_>>)| {
            value.is_none() && !input.has_default()
        };
        if let Some((input, _)) = declared.iter().zip(&inputs).find(is_missing) {
            let sentence =
                format!("input `{}` is not given; give a value{}", input.name(), input.kind());
            return Err(Error::new(ErrorKind::Inputs, sentence));
        }
        let results = run(self.program, &self.schedule, inputs, self.level);
        results.map_err(|problem| Error::new(ErrorKind::Invalid, problem))
    }
}
