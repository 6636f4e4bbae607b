//! The reductions of a model in another form, and nothing else.
//!
//! The file is neither decoded nor encoded as a whole, so that what is not understood stays as it is.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::io::{self, Write};

use super::convert::{self, Change, Form};
use super::edit::Edit;
use super::others;
use super::rewrite;
use super::wire::Segments;
use crate::check::finding::{Finding, Gravity};
use crate::check::node::Reader;
use crate::check::{Problem, Report, problems_of};
use crate::error::{Error, ErrorKind};
use crate::file::{Model, check_opset};
use crate::map::Site;
use crate::words::{counted, plain};

/// What is to be done to a model, so that it is valid at an opset.
///
/// Displayed, it has a line for each reduction that changes.
#[derive(Debug)]
pub struct Revision<'r> {
    report: &'r Report<'r>,
    changes: Vec<(Site, Change)>,
    /// Why it cannot be done.
    problems: Vec<Finding>,
    /// Nodes of other operators that are not valid there, or not the same.
    others: Vec<Finding>,
    /// Nodes that are nearly reductions, which stay as they are.
    near: Vec<Finding>,
    target: Option<u32>,
}

impl Report<'_> {
    /// How nodes become valid at the opset that the model has: those that are in the form of another version get the form of
    /// their own.
    pub fn mended(&self) -> Revision<'_> {
        Revision::of(self, None)
    }

    /// How the model comes to another opset. Nodes that are in the form of another version are mended on the way.
    ///
    /// # Errors
    /// If there is no such opset, or the model imports none ([`ErrorKind::Opset`]).
    ///
    /// ```
    /// use reduce_onnx::Model;
    ///
    /// let model = Model::open("data/rms.onnx")?;
    /// let report = model.check();
    /// let revision = report.converted(18)?;
    /// assert_eq!(revision.problems().len() + revision.others().len(), 0);
    /// assert_eq!(
    ///     revision.to_string(),
    ///     "  node 1 `mean` of graph `rms`: ReduceMean: axes = [1]: an attribute before, now an input\n"
    /// );
    /// let newer = Model::from_bytes(revision.rewritten()?.to_vec())?;
    /// assert_eq!(newer.opset(), Some(18));
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    pub fn converted(&self, opset: u32) -> Result<Revision<'_>, Error> {
        check_opset(opset)?;
        if self.map.main_opset().is_none() {
            let problem = "imports no opset of the standard domain; mend that first";
            return Err(Error::new(ErrorKind::Opset, problem));
        }
        Ok(Revision::of(self, Some(opset)))
    }
}

impl<'r> Revision<'r> {
    fn of(report: &'r Report<'r>, target: Option<u32>) -> Self {
        let (map, findings) = (&report.map, &report.findings);
        let reader = Reader::new(map, report.model);
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        for &site in &map.reductions {
            match convert::mend(&reader, site, target) {
                Form::Same => {}
                Form::Changed(change) => changes.push((site, *change)),
                Form::Impossible(found) => problems.extend(found),
                Form::Invalid => problems.extend(findings.of(site).cloned()),
            }
            // What is wrong in a call of its function alone stays, whatever the node becomes.
            if convert::is_valid(&reader, site) {
                let errors = findings.of(site).filter(|problem| problem.gravity == Gravity::Error);
                problems.extend(errors.cloned());
            }
        }
        let others = target.map_or_else(Vec::new, |target| others::problems(map, target));
        // Those in the standard's domain are among the others already.
        let mut near: BTreeSet<Site> = map.near.iter().map(|(site, _)| *site).collect();
        others.iter().for_each(|problem| {
            near.remove(&problem.site);
        });
        let near = findings.problems.iter().filter(|problem| near.contains(&problem.site));
        let near = near.cloned().collect();
        Revision { report, changes, problems, others, near, target }
    }

    /// The opset that the model comes to; nothing, if it stays at its own.
    pub fn opset(&self) -> Option<u32> {
        self.target
    }

    /// The number of reductions that change.
    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    /// What is wrong with reductions and stays so, or why they have no form at the opset.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(&self.report.map, &self.problems)
    }

    /// The nodes of other operators that are not valid at the opset, or mean something else there. They stay as they are.
    pub fn others(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(&self.report.map, &self.others)
    }

    /// The nodes that are nearly reductions, by their name or domain, and not among the others. They stay as they are.
    pub fn nearly(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(&self.report.map, &self.near)
    }

    /// The changed model, as bytes of the old one and some of its own. It is made whatever problems there are.
    ///
    /// # Errors
    /// If the file is written as nobody writes one, or has graphs for training, which do not come to another opset
    /// ([`ErrorKind::NotChanged`]).
    pub fn rewritten(&self) -> Result<Rewritten<'r>, Error> {
        let (map, source) = (&self.report.map, &self.report.model.bytes()[..]);
        let edit = Edit::of(map, &self.changes, self.target);
        let segments = rewrite::model(source, map, &edit);
        let segments = segments.map_err(|problem| Error::new(ErrorKind::NotChanged, problem))?;
        Ok(Rewritten { segments, source })
    }

    /// Holds what was written against what was read: it has no new problems, and as many reductions.
    ///
    /// # Errors
    /// If it is not so ([`ErrorKind::NotChanged`]), which would be a mistake of this crate.
    pub fn verify(&self, written: &Model) -> Result<(), Error> {
        let (before, after) = (&self.report.findings, &written.check().findings);
        let [known, found] =
            [before, after].map(|findings| findings.reductions.values().sum::<usize>());
        match after.errors() > before.errors() || found != known {
            true => {
                let problem = "is not written: what would be written has new problems";
                Err(Error::new(ErrorKind::NotChanged, problem))
            }
            false => Ok(()),
        }
    }

    /// The bytes of the changed model, verified.
    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let bytes = self.rewritten()?.to_vec();
        self.verify(&self.report.model.with_bytes(bytes.clone())?)?;
        Ok(bytes)
    }
}

impl Model {
    /// The bytes of the same model at another opset: each reduction in the form that it has there, and all else byte for byte
    /// as it is. Tensors in other files are not copied.
    ///
    /// # Errors
    /// If a node does not come along, be it a reduction or another operator ([`ErrorKind::NotConverted`]): it has no form
    /// there, is not valid where it is, or means something else there. [`Report::converted`] tells all of them. Other errors
    /// are those of [`Report::converted`] and [`Revision::rewritten`].
    ///
    /// ```
    /// use reduce_onnx::Model;
    ///
    /// let newer = Model::open("data/rms.onnx")?.convert(18)?;
    /// let newer = Model::from_bytes(newer)?;
    /// assert_eq!((newer.opset(), newer.check().errors()), (Some(18), 0));
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    pub fn convert(&self, opset: u32) -> Result<Vec<u8>, Error> {
        let report = self.check();
        let revision = report.converted(opset)?;
        let mut hindering = revision.problems().chain(revision.others());
        if let Some(first) = hindering.next() {
            let nodes = counted(1 + hindering.count(), "problem");
            let sentence = format!("{nodes} at opset {opset}, the first in {first}");
            return Err(Error::new(ErrorKind::NotConverted, sentence));
        }
        revision.bytes()
    }

    /// The bytes of the same model, mended: each reduction that is in the form of another version than its own gets that of
    /// its own. What else is wrong stays, and [`Report::mended`] tells it.
    ///
    /// # Errors
    /// Those of [`Revision::rewritten`].
    ///
    /// ```
    /// use reduce_onnx::Model;
    ///
    /// // Its node has the attribute `axes`, which is an input from opset 18 on.
    /// let mut proto = Model::open("data/rms.onnx")?.proto().clone();
    /// proto.opset_import[0].version = 18;
    /// let broken = Model::from_proto(&proto)?;
    /// assert_eq!(broken.check().errors(), 1);
    /// let mended = Model::from_bytes(broken.mend()?)?;
    /// assert_eq!(mended.check().errors(), 0);
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    pub fn mend(&self) -> Result<Vec<u8>, Error> {
        self.check().mended().bytes()
    }
}

impl Display for Revision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = &self.report.map;
        self.changes.iter().try_for_each(|(site, change)| {
            let (place, op) = (map.place(*site), plain(&map.node(*site).op_type));
            writeln!(f, "  {place}: {op}: {}", change.words().join("; "))
        })
    }
}

/// A changed model: bytes of the old one, which are not copied, and some of its own.
#[derive(Debug)]
pub struct Rewritten<'r> {
    segments: Segments,
    source: &'r [u8],
}

impl Rewritten<'_> {
    /// Writes all of it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        self.segments.write(self.source, to)
    }

    /// All of it.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // A list takes all bytes.
        let _ = self.write(&mut bytes);
        bytes
    }
}
