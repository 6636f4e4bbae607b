//! The choices that a query makes: values of parameters, and the member of a family.

use datafusion::common::{Result, plan_err};
use reduce_core::nodes::AttrValue;

use crate::aggregate::Aggregate;
use crate::documentation;
use crate::operator::Operator;
use crate::parameters::Parameter;
use crate::trial;

/// What is left to choose once parameters are known.
pub(crate) struct Settings<'a> {
    pub(crate) operator: &'a Operator,
    pub(crate) given: Vec<(&'static str, AttrValue)>,
    /// How long the arrays of a family's results are.
    pub(crate) length: Option<usize>,
}

impl Aggregate {
    /// Whether all that was said of the aggregate fits its operator. A query says it too, when it is planned.
    ///
    /// ```
    /// use reduce_datafusion::Aggregate;
    /// use reduce_gallery::Variance;
    ///
    /// let mistaken = Aggregate::of::<Variance>().with("corection", 1).check();
    /// assert!(mistaken.expect_err("a slip").to_string().contains("has no parameter `corection`"));
    /// ```
    ///
    /// # Errors
    /// If one of these is true:
    ///
    /// - a default or `required` names a parameter that the operator lacks;
    /// - a default is of the wrong kind or out of range, or the operator does not take all of them together;
    /// - there are more or fewer names than results, or `only` shows a result that is not there;
    /// - a result depends on the number of elements, which `uncounted` denies.
    pub fn check(&self) -> Result<()> {
        let known = self.parameters();
        for name in &self.required {
            if known.iter().all(|parameter| parameter.name != *name) {
                return self.no_parameter(name, "for which `required` was called");
            }
        }
        let has_default = |name: &str| self.defaults.iter().any(|(known, _)| known == name);
        let length = self.size.filter(|name| !has_default(name)).and_then(|_| self.smallest());
        let is_open = self.required.iter().any(|name| !has_default(name));
        if !is_open && !self.members.is_empty() {
            self.check_given(length.as_slice())?;
        }
        let Some(prepared) = trial::first_row(self)? else {
            return plan_err!("`{}` has no operator; give one by `Aggregate::size`", self.name);
        };
        prepared.finish(&prepared.groups(0)?)?;
        if self.is_uncounted && trial::depends_on_count(&prepared)? {
            return plan_err!(
                "`{}` depends on how many elements there were; leave out `Aggregate::uncounted`",
                self.name
            );
        }
        Ok(())
    }

    /// The parameters, in the order in which a query gives them.
    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        let largest = self.members.last().map_or(0, |&(size, _)| size);
        let size = self.size.map(|name| Parameter::size(name, largest));
        let others = self.members.first().into_iter().flat_map(|(_, one)| &one.parameters);
        size.into_iter().chain(others.map(Parameter::of)).collect()
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.members.first().map_or(1, |(_, operator)| operator.inputs())
    }

    /// The least length of a family, with which types can be asked for.
    pub(crate) fn smallest(&self) -> Option<AttrValue> {
        let smallest = self.members.first().and_then(|&(size, _)| i64::try_from(size).ok());
        self.size.and(smallest).map(AttrValue::Int)
    }

    /// Whether a query has to give a parameter.
    fn needs(&self, parameter: &Parameter) -> bool {
        let has_default = self.defaults.iter().any(|(known, _)| known == parameter.name);
        let is_required = self.required.iter().any(|name| name == parameter.name);
        !has_default && (is_required || self.size == Some(parameter.name))
    }

    /// How many parameters a query has to give: up to the last that it cannot leave out.
    pub(crate) fn needed(&self) -> usize {
        let needs = |parameter: &Parameter| self.needs(parameter);
        self.parameters().iter().rposition(needs).map_or(0, |last| last + 1)
    }

    /// Says so if a query gives too few arguments, or too many.
    pub(crate) fn check_number(&self, found: usize) -> Result<()> {
        let (inputs, parameters) = (self.inputs(), self.parameters());
        let (least, most) = (inputs + self.needed(), inputs + parameters.len());
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let (name, usage) = (&self.name, documentation::usage(self));
        if found < least
            && let Some(missing) = found.checked_sub(inputs)
        {
            return plan_err!(
                "`{name}` needs its parameter `{}`; write `{usage}`",
                parameters[missing].name
            );
        }
        let number = match (least, most) {
            (1, 1) => "1 argument".to_owned(),
            (least, most) if least == most => format!("{most} arguments"),
            (least, most) if least + 1 == most => format!("{least} or {most} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        plan_err!("`{name}` takes {number}, not {found}; write `{usage}`")
    }

    /// What follows from values of the first parameters; the others have their defaults.
    pub(crate) fn settings(&self, given: &[AttrValue]) -> Result<Settings<'_>> {
        let parameters = self.parameters();
        let mut values: Vec<(&'static str, AttrValue)> = Vec::new();
        for (name, value) in &self.defaults {
            let Some(known) = parameters.iter().find(|known| known.name == name) else {
                return self.no_parameter(name, "for which it was given a default");
            };
            values.push((known.name, known.check(&self.name, value)?));
        }
        for (parameter, value) in parameters.iter().zip(given) {
            values.retain(|&(name, _)| name != parameter.name);
            values.push((parameter.name, parameter.check(&self.name, value)?));
        }
        self.member(values)
    }

    /// That values of the first parameters are in range, and that the operator takes them together.
    pub(crate) fn check_given(&self, given: &[AttrValue]) -> Result<()> {
        let Settings { operator, given, .. } = self.settings(given)?;
        match operator.rows.first() {
            Some(row) => operator.groups(&self.name, &given, row).map(|_| ()),
            None => Ok(()),
        }
    }

    fn no_parameter<T>(&self, name: &str, why: &str) -> Result<T> {
        let known: Vec<String> =
            self.parameters().iter().map(|known| format!("`{}`", known.name)).collect();
        let known = match &known[..] {
            [] => "it has none".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        plan_err!("`{}` has no parameter `{name}`, {why}; {known}", self.name)
    }

    /// The member of the family that is long enough.
    fn member(&self, mut given: Vec<(&'static str, AttrValue)>) -> Result<Settings<'_>> {
        let length = match self.size {
            None => None,
            Some(parameter) => {
                let place = given.iter().position(|&(name, _)| name == parameter);
                match place.map(|place| given.remove(place)) {
                    Some((_, AttrValue::Int(length))) => usize::try_from(length).ok(),
                    _ => {
                        return plan_err!(
                            "`{}` needs its parameter `{parameter}`, an integer",
                            self.name
                        );
                    }
                }
            }
        };
        let fits = |size: usize| match length {
            Some(length) if self.is_exact => length == size,
            Some(length) => length <= size,
            None => true,
        };
        match self.members.iter().find(|&&(size, _)| fits(size)) {
            Some((_, operator)) => Ok(Settings { operator, given, length }),
            None => {
                let sizes: Vec<String> =
                    self.members.iter().map(|(size, _)| size.to_string()).collect();
                let (name, sizes) = (&self.name, sizes.join(", "));
                plan_err!(
                    "`{name}` has no operator of length {}; there are {sizes}",
                    length.unwrap_or(0)
                )
            }
        }
    }
}
