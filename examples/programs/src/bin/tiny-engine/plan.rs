//! A graph planned for a number of tokens: shapes and strides are known, and what is left to do is steps over buffers.

use reduce_core::DType;
use reduce_core::nodes::PlannedCall;
use reduce_core::planning::Layout;
use reduce_programs::Failure;

use crate::graph::{Action, Graph, Node};
use crate::kernels::{self, Elements};
use crate::pool::{Pool, filled};

/// Where the elements of a tensor are.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    /// They are the input of the call.
    Given,
    /// In a constant of this number.
    Constant(usize),
    /// In a buffer: what the step of this number made.
    Made(usize),
}

/// A tensor without its elements. Several tensors may lie in one buffer.
#[derive(Clone)]
struct Tensor {
    home: Home,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

/// What one step does.
enum Work {
    Reduce(Box<PlannedCall>),
    MatMul,
    Each(fn(f32) -> f32),
    Pairs(fn(f32, f32) -> f32),
}

struct Step {
    work: Work,
    inputs: Vec<Tensor>,
    /// The shape of its result, which lies in row-major order.
    shape: Vec<usize>,
    /// Steps whose buffers nobody reads after this one.
    finished: Vec<usize>,
}

/// The steps for one number of tokens.
pub(crate) struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    /// Plans each node, in order. Transposed tensors are none of the steps: they are the same buffer, at other strides.
    pub(crate) fn new(graph: &Graph, tokens: usize) -> Result<Plan, Failure> {
        let mut values: Vec<Option<Tensor>> = vec![None; graph.values];
        values[graph.input] = Some(Tensor::new(Home::Given, vec![tokens, graph.width]));
        for (number, constant) in graph.constants.iter().enumerate() {
            let tensor = Tensor::new(Home::Constant(number), constant.shape.clone());
            values[constant.value] = Some(tensor);
        }
        let mut plan = Plan { steps: Vec::new() };
        for node in &graph.nodes {
            let inputs = node.inputs.iter().map(|&value| values[value].clone());
            let inputs = inputs.collect::<Option<Vec<_>>>().ok_or("nodes are out of order")?;
            values[node.output] = Some(plan.node(node, inputs)?);
        }
        match &values[graph.output] {
            Some(Tensor { home: Home::Made(last), .. }) if *last + 1 == plan.steps.len() => {}
            _ => return Err("the last node gives something else than the output".into()),
        }
        plan.finish();
        Ok(plan)
    }

    /// Plans a node, and gives what it makes.
    fn node(&mut self, node: &Node, inputs: Vec<Tensor>) -> Result<Tensor, Failure> {
        let (work, shape) = match (&node.action, &inputs[..]) {
            (Action::Reduce(call), [x]) => {
                let planned = call.plan(&[x.layout()?])?;
                let shape = planned.outputs().next().map(|output| output.shape().to_vec());
                (Work::Reduce(Box::new(planned)), shape.unwrap_or_default())
            }
            (Action::MatMul, [a, b]) => (Work::MatMul, product(a, b)?),
            (Action::Each(function), [x]) => (Work::Each(*function), x.shape.clone()),
            (Action::Pairs(function), [a, b]) => (Work::Pairs(*function), broadcast(a, b)?),
            (Action::Transpose(axes), [x]) => return x.transposed(axes),
            (Action::Reshape(sizes), [x]) => {
                let shape = reshaped(&x.shape, sizes)?;
                let home = match x.is_row_major() {
                    true => x.home,
                    // Its elements are put in order first.
                    false => self.step(Work::Each(|x| x), x.shape.clone(), vec![x.clone()]),
                };
                return Ok(Tensor::new(home, shape));
            }
            _ => return Err("a node has other inputs than its operator".into()),
        };
        let home = self.step(work, shape.clone(), inputs);
        Ok(Tensor::new(home, shape))
    }

    fn step(&mut self, work: Work, shape: Vec<usize>, inputs: Vec<Tensor>) -> Home {
        self.steps.push(Step { work, inputs, shape, finished: Vec::new() });
        Home::Made(self.steps.len() - 1)
    }

    /// Finds the last reader of each buffer but the output's.
    fn finish(&mut self) {
        for made in 0..self.steps.len().saturating_sub(1) {
            let reads =
                |step: &Step| step.inputs.iter().any(|input| input.home == Home::Made(made));
            let last = self.steps.iter().rposition(reads).unwrap_or(made);
            self.steps[last].finished.push(made);
        }
    }

    /// What the graph makes of the input, in a buffer of the pool.
    pub(crate) fn run(
        &self,
        graph: &Graph,
        x: &[f32],
        pool: &mut Pool,
    ) -> Result<Vec<f32>, Failure> {
        let mut buffers: Vec<Vec<f32>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let mut output = pool.take(step.shape.iter().product());
            let elements = |number: usize| {
                let Tensor { home, shape, strides } = &step.inputs[number];
                let data = match *home {
                    Home::Given => x,
                    Home::Constant(number) => &graph.constants[number].data,
                    Home::Made(step) => &buffers[step],
                };
                Elements { data, shape, strides }
            };
            step.run(elements, &mut output)?;
            buffers.push(output);
            for &made in &step.finished {
                pool.take_back(std::mem::take(&mut buffers[made]));
            }
        }
        buffers.pop().ok_or_else(|| "there is no node".into())
    }
}

impl Step {
    fn run<'a>(
        &self,
        input: impl Fn(usize) -> Elements<'a>,
        output: &mut Vec<f32>,
    ) -> Result<(), Failure> {
        match &self.work {
            Work::Reduce(planned) => {
                let (data, count) = (input(0).data, self.shape.iter().product());
                filled(output, count, |places| planned.run(&[data.into()], &mut [places.into()]))?;
            }
            Work::MatMul => kernels::products(input(0), input(1), output),
            Work::Each(function) => kernels::each(*function, input(0), output),
            Work::Pairs(function) => {
                kernels::pairs(*function, [input(0), input(1)], &self.shape, output);
            }
        }
        Ok(())
    }
}

impl Tensor {
    /// A tensor in row-major order.
    fn new(home: Home, shape: Vec<usize>) -> Tensor {
        let strides = row_major(&shape);
        Tensor { home, shape, strides }
    }

    fn is_row_major(&self) -> bool {
        self.strides == row_major(&self.shape)
    }

    /// What a reduction is planned for.
    fn layout(&self) -> Result<Layout, reduce_core::Error> {
        let strides: Vec<isize> = self.strides.iter().map(|stride| stride.cast_signed()).collect();
        Layout::with_strides(DType::F32, &self.shape, &strides, 0)
    }

    fn transposed(&self, axes: &[usize]) -> Result<Tensor, Failure> {
        let all = (0..self.shape.len()).all(|axis| axes.contains(&axis));
        if !all || axes.len() != self.shape.len() {
            return Err(format!("Transpose: {axes:?} are not the axes of {:?}", self.shape).into());
        }
        let (shape, strides) =
            axes.iter().map(|&axis| (self.shape[axis], self.strides[axis])).unzip();
        Ok(Tensor { home: self.home, shape, strides })
    }
}

fn row_major(shape: &[usize]) -> Vec<usize> {
    (1..=shape.len()).map(|axis| shape[axis..].iter().product()).collect()
}

/// The shape of products of matrices.
fn product(a: &Tensor, b: &Tensor) -> Result<Vec<usize>, Failure> {
    let fits = match (&a.shape[..], &b.shape[..]) {
        ([.., inner], [rows, _]) if a.shape.len() >= 2 => inner == rows,
        ([outer @ .., _, inner], [others @ .., rows, _]) => outer == others && inner == rows,
        _ => false,
    };
    if !fits {
        return Err(format!("MatMul: {:?} and {:?} do not fit", a.shape, b.shape).into());
    }
    let mut shape = a.shape.clone();
    shape.pop();
    shape.extend(b.shape.last());
    Ok(shape)
}

/// The shape that two tensors broadcast to.
fn broadcast(a: &Tensor, b: &Tensor) -> Result<Vec<usize>, Failure> {
    let rank = a.shape.len().max(b.shape.len());
    let size = |tensor: &Tensor, axis: usize| match (axis + tensor.shape.len()).checked_sub(rank) {
        Some(axis) => tensor.shape[axis],
        None => 1,
    };
    let larger = |axis| match (size(a, axis), size(b, axis)) {
        (1, other) => Ok(other),
        (size, other) if other == 1 || other == size => Ok(size),
        _ => Err(format!("{:?} and {:?} do not broadcast", a.shape, b.shape).into()),
    };
    (0..rank).map(larger).collect()
}

/// The sizes of a `Reshape`.
fn reshaped(shape: &[usize], sizes: &[i64]) -> Result<Vec<usize>, Failure> {
    let count: usize = shape.iter().product();
    let size = |(axis, &size): (usize, &i64)| match size {
        0 => shape.get(axis).copied(),
        -1 => Some(1),
        _ => usize::try_from(size).ok(),
    };
    let known: Option<Vec<usize>> = sizes.iter().enumerate().map(size).collect();
    let mut new = known.ok_or("Reshape: a size is negative")?;
    if let Some(axis) = sizes.iter().position(|&size| size == -1) {
        new[axis] = count / new.iter().product::<usize>().max(1);
    }
    match new.iter().product::<usize>() == count {
        true => Ok(new),
        false => Err(format!("Reshape: {shape:?} has not the elements of {sizes:?}").into()),
    }
}
