//! Formulas that a user types: numbers, names, `+ - * / ^`, comparisons and a few functions, parsed into a tree.

use sim::scenario::ScenarioError;

/// Longest formula, bytes.
const LONGEST: usize = 500;
/// Deepest nesting of parentheses, functions and signs.
const DEEPEST: u32 = 40;

/// Functions by name, with the number of their arguments.
const FUNCTIONS: &[(&str, usize)] =
    &[("min", 2), ("max", 2), ("sqrt", 1), ("cbrt", 1), ("log", 1), ("exp", 1), ("abs", 1), ("if", 3)];

/// A formula over variables, which are numbered by their place in the list of names.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    Number(f64),
    Variable(usize),
    Negative(Box<Formula>),
    Binary(Operator, Box<[Formula; 2]>),
    Call(&'static str, Vec<Formula>),
}

/// A binary operator. Comparisons give 1 if they hold and 0 otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => libm::pow(a, b),
            Self::Less => f64::from(a < b),
            Self::LessOrEqual => f64::from(a <= b),
            Self::Greater => f64::from(a > b),
            Self::GreaterOrEqual => f64::from(a >= b),
        }
    }

    /// Returns the operator at the beginning of a text, with its length and its binding power.
    fn at(text: &str) -> Option<(Self, usize, u8)> {
        let two = [("<=", Self::LessOrEqual), (">=", Self::GreaterOrEqual)];
        let one = [
            ("<", Self::Less, 1),
            (">", Self::Greater, 1),
            ("+", Self::Add, 2),
            ("-", Self::Subtract, 2),
            ("*", Self::Multiply, 3),
            ("/", Self::Divide, 3),
            ("^", Self::Power, 5),
        ];
        let two = two.iter().find(|(sign, _)| text.starts_with(sign)).map(|(_, found)| (*found, 2, 1));
        two.or_else(|| {
            one.iter().find(|(sign, ..)| text.starts_with(sign)).map(|(_, found, power)| (*found, 1, *power))
        })
    }
}

impl Formula {
    /// Parses a formula of the setting `path`.
    ///
    /// # Errors
    /// If the text is no formula over `names`; the error has the place, the allowed names and the nearest one.
    pub(crate) fn parse(path: &str, text: &str, names: &[&str]) -> Result<Self, ScenarioError> {
        let mut parser = Parser { path, text, at: 0, depth: 0, names };
        if text.len() > LONGEST {
            return Err(ScenarioError::new(path, format!("the formula has {} characters", text.len()))
                .allowed(format!("at most {LONGEST}")));
        }
        let formula = parser.expression(0)?;
        parser.space();
        if parser.at < text.len() {
            return Err(parser.wrong("an operator, or the end"));
        }
        Ok(formula)
    }

    /// Returns the value of the formula; `variables` has the values of the variables, in the order of their
    /// names.
    pub(crate) fn value(&self, variables: &[f64]) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Variable(i) => variables[*i],
            Self::Negative(inner) => -inner.value(variables),
            Self::Binary(operator, sides) => {
                operator.apply(sides[0].value(variables), sides[1].value(variables))
            }
            Self::Call("if", parts) => {
                parts[if parts[0].value(variables) != 0.0 { 1 } else { 2 }].value(variables)
            }
            Self::Call(name, parts) => {
                let first = parts[0].value(variables);
                match *name {
                    "min" => first.min(parts[1].value(variables)),
                    "max" => first.max(parts[1].value(variables)),
                    "sqrt" => libm::sqrt(first),
                    "cbrt" => libm::cbrt(first),
                    "log" => libm::log(first),
                    "exp" => libm::exp(first),
                    _ => libm::fabs(first),
                }
            }
        }
    }
}

/// The state of the parser: the next byte to read, and the depth of nesting.
struct Parser<'a> {
    path: &'a str,
    text: &'a str,
    at: usize,
    depth: u32,
    names: &'a [&'a str],
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Returns true if the next sign is `sign`, and reads it.
    fn take(&mut self, sign: char) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn wrong(&self, wanted: &str) -> ScenarioError {
        let column = self.text[..self.at].chars().count() + 1;
        let given = self.rest().chars().next().map_or("the end".to_owned(), |sign| format!("`{sign}`"));
        ScenarioError::new(self.path, format!("the formula has {given} at column {column}"))
            .given(self.text)
            .allowed(wanted)
    }

    /// Parses operands whose operators bind more tightly than `least`.
    fn expression(&mut self, least: u8) -> Result<Formula, ScenarioError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ScenarioError::new(self.path, "the formula is nested too deeply")
                .allowed(format!("at most {DEEPEST} levels")));
        }
        let mut left = self.operand()?;
        loop {
            self.space();
            let Some((operator, length, power)) = Operator::at(self.rest()) else { break };
            if power <= least {
                break;
            }
            self.at += length;
            // A power groups to the right, everything else to the left.
            let right = self.expression(if operator == Operator::Power { power - 1 } else { power })?;
            left = Formula::Binary(operator, Box::new([left, right]));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, ScenarioError> {
        if self.take('-') {
            // A sign binds less tightly than a power: -2^2 is -4.
            return Ok(Formula::Negative(Box::new(self.expression(4)?)));
        }
        if self.take('(') {
            let inner = self.expression(0)?;
            return if self.take(')') { Ok(inner) } else { Err(self.wrong("`)` or an operator")) };
        }
        let letters = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        let rest = self.rest();
        let word = &rest[..rest.find(|sign| !letters(sign)).unwrap_or(rest.len())];
        if word.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
            let word = word.to_owned();
            return self.name(&word);
        }
        self.number()
    }

    fn number(&mut self) -> Result<Formula, ScenarioError> {
        let rest = self.rest();
        let mut length = 0;
        for (i, sign) in rest.char_indices() {
            let exponent = matches!(sign, '+' | '-') && rest[..i].ends_with(['e', 'E']);
            if !(sign.is_ascii_digit() || matches!(sign, '.' | 'e' | 'E') || exponent) {
                break;
            }
            length = i + 1;
        }
        match rest[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += length;
                Ok(Formula::Number(number))
            }
            _ => Err(self.wrong("a number, a name, `-` or `(`")),
        }
    }

    fn name(&mut self, word: &str) -> Result<Formula, ScenarioError> {
        if let Some(i) = self.names.iter().position(|name| *name == word) {
            self.at += word.len();
            return Ok(Formula::Variable(i));
        }
        let Some((name, count)) = FUNCTIONS.iter().find(|(name, _)| *name == word) else {
            let column = self.text[..self.at].chars().count() + 1;
            let known: Vec<&str> =
                self.names.iter().copied().chain(FUNCTIONS.iter().map(|one| one.0)).collect();
            return Err(ScenarioError::new(self.path, format!("`{word}` at column {column} is not known"))
                .given(self.text)
                .names(word, known.iter().copied()));
        };
        self.at += word.len();
        if !self.take('(') {
            return Err(self.wrong("`(` after the name of a function"));
        }
        let mut parts = vec![self.expression(0)?];
        while self.take(',') {
            parts.push(self.expression(0)?);
        }
        if !self.take(')') {
            return Err(self.wrong("`,` or `)`"));
        }
        if parts.len() != *count {
            let message = format!("`{name}` has {} arguments", parts.len());
            return Err(ScenarioError::new(self.path, message).given(self.text).allowed(count.to_string()));
        }
        Ok(Formula::Call(name, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["cwnd", "rtt"];

    fn value(text: &str) -> f64 {
        Formula::parse("grow", text, NAMES).expect(text).value(&[10.0, 0.05])
    }

    fn problem(text: &str) -> String {
        Formula::parse("grow", text, NAMES).expect_err(text).to_string()
    }

    #[test]
    fn values_worked_by_hand() {
        for (text, wanted) in [
            ("1", 1.0),
            ("cwnd / 2", 5.0),
            ("1 + 2 * 3", 7.0),
            ("8 - 3 - 2", 3.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("-2 ^ 2", -4.0),
            ("(1 + 2) * 3", 9.0),
            ("0.4 * cwnd ^ 0.5", 0.4 * libm::sqrt(10.0)),
            ("if(rtt > 0.04, 1, cwnd)", 1.0),
            ("if(rtt >= 0.06, 1, cwnd)", 10.0),
            ("min(cwnd, 3) + max(1e1, 2.5e-1) + abs(-cbrt(8))", 15.0),
            ("exp(log(cwnd))", libm::exp(libm::log(10.0))),
            ("2 * 3 < 7", 1.0),
        ] {
            assert!((value(text) - wanted).abs() < 1e-12, "{text}: {}", value(text));
        }
    }

    #[test]
    fn mistakes_name_the_place_and_the_nearest_name() {
        assert!(problem("cwmd / 2").contains("`cwmd` at column 1 is not known"), "{}", problem("cwmd / 2"));
        assert!(problem("cwmd / 2").contains("cwnd"), "{}", problem("cwmd / 2"));
        assert!(problem("cwnd /").contains("the end at column 7"), "{}", problem("cwnd /"));
        assert!(problem("cwnd ; 2").contains("`;` at column 6"), "{}", problem("cwnd ; 2"));
        assert!(problem("min(1)").contains("`min` has 1 arguments"), "{}", problem("min(1)"));
        assert!(problem("min 1").contains("`1` at column 5"), "{}", problem("min 1"));
        assert!(problem("(1").contains("the end at column 3"), "{}", problem("(1"));
        assert!(problem("").contains("the end at column 1"), "{}", problem(""));
        assert!(problem("1e999").contains("`1` at column 1"), "{}", problem("1e999"));
        assert!(problem("alert(1)").contains("is not known"), "{}", problem("alert(1)"));
    }

    #[test]
    fn hostile_formulas_end_in_a_word() {
        assert!(problem(&"(".repeat(400)).contains("nested too deeply"));
        assert!(problem(&"-".repeat(400)).contains("nested too deeply"));
        assert!(problem(&"1+".repeat(400)).contains("800 characters"));
        assert!(problem("µ²").contains("`µ` at column 1"));
    }
}
