//! Distributions have the means that they state, sessions draw the same whatever the network does, and bad tables are
//! refused.

use super::*;
use base::{Duration, Instant, Rng};
use proptest::prelude::*;
use settings::{Node, Setting};

fn sizes(text: &str) -> Sizes {
    Sizes::read(&Node::from_toml(text).expect("TOML")).expect("sizes")
}

fn config(more: &str) -> Result<Config, settings::Error> {
    let text = format!(
        "arrivals = {{ kind = \"poisson\", rate = 10 }}\nresponse = {{ kind = \"exponential\", mean = \"10kB\" }}\n{more}"
    );
    Config::read(&Node::from_toml(&text).expect("TOML"))
}

#[test]
fn means_are_those_of_many_draws() {
    for (text, tolerance) in [
        ("kind = \"constant\"\nsize = \"5kB\"", 0.0),
        ("kind = \"exponential\"\nmean = \"5kB\"", 0.01),
        ("kind = \"pareto\"\nmean = \"5kB\"\nshape = 3", 0.01),
        ("kind = \"log-normal\"\nmedian = \"5kB\"\nsigma = 1\nmost = \"20kB\"", 0.01),
        ("kind = \"web-search\"", 0.02),
        ("kind = \"data-mining\"", 0.05),
        ("kind = \"web-pages\"", 0.02),
        ("kind = \"empirical\"\npoints = \"1000:0.5 3000:1\"", 0.01),
    ] {
        let sizes = sizes(text);
        let mut rng = Rng::stream(1, text);
        let n = 300_000;
        let mean = (0..n).map(|_| sizes.draw(&mut rng) as f64).sum::<f64>() / f64::from(n);
        assert!((mean / sizes.mean() - 1.0).abs() <= tolerance, "{text}: {mean}, stated {}", sizes.mean());
    }
}

/// The means of the tables were worked out by hand, and that of web pages by numerical integration over the log-normal
/// density. The HTTP model states a mean of 10,710 B, which its own parameters (8.37 and 1.37) do not give.
#[test]
fn named_distributions_have_their_means() {
    for (kind, mean, tolerance) in [
        ("web-search", 1_711_250.0, 1e-9),
        ("data-mining", 12_658_198.6, 1e-9),
        ("web-pages", 11_054.43, 1e-6),
    ] {
        let found = sizes(&format!("kind = \"{kind}\"")).mean();
        assert!((found / mean - 1.0).abs() < tolerance, "{kind}: {found}");
    }
}

#[test]
fn a_first_row_above_zero_is_an_atom() {
    let sizes = sizes("kind = \"empirical\"\npoints = \"1000:0.25 1000:0.5 2000:1\"");
    let mut rng = Rng::stream(3, "atom");
    let n = 100_000;
    let atoms = (0..n).filter(|_| sizes.draw(&mut rng) == 1000).count();
    assert!((atoms as f64 / f64::from(n) - 0.5).abs() < 0.01, "{atoms}");
    assert!((sizes.mean() - (500.0 + 750.0)).abs() < 1e-9);
}

#[test]
fn files_are_read_in_both_forms() {
    let two = read_cdf("# sizes\n1000 0.5\n100000, 1\n").expect("two columns");
    let three = read_cdf("1000 1 0.5\n100000 2 1\n").expect("three columns");
    assert_eq!(two, three);
    assert_eq!(two.write().as_text(), Some("1000:0.5 100000:1"));
    assert_eq!(Points::read(&two.write()), Ok(two));
}

#[test]
fn bad_files_are_refused_with_their_line() {
    for (text, line, problem) in [
        ("", 1, "the file has no size"),
        ("# nothing\n", 1, "the file has no size"),
        ("100 0.5\n200 0.4\n300 1", 2, "the probability decreases from 0.5 to 0.4"),
        ("100 0.5\n50 1", 2, "the size 50 comes after 100"),
        ("100 0.5\n\n200 0.9", 3, "the last probability is 0.9, not 1"),
        ("0 0.5\n200 1", 1, "a size of zero has the probability 0.5"),
        ("0 0\n0 0", 2, "the last probability is 0, not 1"),
        ("-1 0\n5 1", 1, "a size of -1 bytes is outside 0 to 1000000000000"),
        ("1 0\n5 1.5", 2, "1.5 is no probability"),
        ("1 NaN\n5 1", 1, "NaN is no probability"),
        ("one 0\n5 1", 1, "`one 0` are no numbers"),
        ("1 2 3 4", 1, "4 columns instead of 2 or 3"),
    ] {
        let error = read_cdf(text).expect_err(text);
        assert_eq!((error.line, error.problem.as_str()), (line, problem), "{text}");
    }
}

#[test]
fn bad_settings_are_refused_with_their_field() {
    for (more, path, message) in [
        ("classes = [\"1MB\", \"10kB\"]", "classes", "the bounds of the classes do not ascend"),
        ("request = { kind = \"constant\", size = \"0B\" }", "request.size", "0 B is out of range"),
        ("connections = 0", "connections", "0 is out of range"),
        ("requests = 0", "requests", "0 is out of range"),
        (
            "think = { kind = \"pareto\", mean = \"1s\", shape = 1 }",
            "think.shape",
            "a Pareto distribution has a mean",
        ),
    ] {
        let error = config(more).expect_err(more);
        assert_eq!(error.path, path, "{error}");
        assert!(error.message.contains(message), "{more}: {error}");
    }
    for (arrivals, path) in [
        ("{ kind = \"poisson\" }", "rate"),
        ("{ kind = \"poisson\", load = 1.1, link = \"l\" }", "load"),
        ("{ kind = \"poisson\", load = 0.5 }", "link"),
        ("{ kind = \"poisson\", rate = 5, load = 0.5, link = \"l\" }", "load"),
        ("{ kind = \"given\", times = [] }", "times"),
        ("{ kind = \"given\", times = [\"2s\", \"1s\"] }", "times"),
    ] {
        let text = format!("a = {arrivals}");
        let node = Node::from_toml(&text).expect("TOML");
        let error = Arrivals::read(node.get("a").expect("a")).expect_err(arrivals);
        assert_eq!(error.path, path, "{error}");
    }
}

#[test]
fn arrivals_have_their_rate_and_their_limit() {
    let config = config("").expect("settings");
    let mut process = ArrivalProcess::new(&config.arrivals, Rng::stream(1, "arrivals"));
    let (mut now, mut n) = (process.begin(Instant::ZERO), 0);
    while now < Instant::ZERO + Duration::from_secs(10_000) {
        n += 1;
        now = process.next(now);
    }
    assert!((f64::from(n) - 100_000.0).abs() < 1000.0, "{n}");
    let few = Arrivals::Poisson(Poisson { rate: Some(10.0), load: None, link: None, most: Some(3) });
    let mut process = ArrivalProcess::new(&few, Rng::stream(1, "few"));
    let mut now = process.begin(Instant::ZERO);
    for _ in 0..3 {
        assert!(now < Instant::MAX);
        now = process.next(now);
    }
    assert_eq!(now, Instant::MAX);
}

proptest! {
    /// A session draws the same requests from the same seed, as many as `Session::requests` says.
    #[test]
    fn sessions_are_repeatable(seed: u64, mean in 1u32..50, geometric: bool) {
        let word = if geometric { "geometric" } else { "constant" };
        let config = config(&format!("requests = {mean}\nrequests_distribution = \"{word}\"")).expect("settings");
        let all = || {
            let mut session = Session::new(&config, Rng::stream(seed, "session"));
            let said = session.requests();
            let taken: Vec<_> = std::iter::from_fn(|| session.next(&config)).collect();
            assert_eq!(taken.len() as u32, said);
            taken
        };
        let taken = all();
        prop_assert!(geometric || taken.len() as u32 == mean);
        prop_assert!(!taken.is_empty() && taken.iter().all(|one| one.response > 0));
        prop_assert_eq!(all(), taken);
    }

    /// Any ascending table draws sizes within its bounds.
    #[test]
    fn tables_draw_within_their_bounds(steps in prop::collection::vec((1u32..1000, 1u32..100), 1..20), seed: u64) {
        let total: u32 = steps.iter().map(|(_, weight)| weight).sum();
        let (mut size, mut weight) = (0, 0);
        let rows: Vec<String> = steps.iter().map(|(more, share)| {
            size += more;
            weight += share;
            format!("{size} {}", f64::from(weight) / f64::from(total))
        }).collect();
        let points = read_cdf(&rows.join("\n")).expect("ascending");
        let text = format!("kind = \"empirical\"\npoints = {}", points.write());
        let sizes = sizes(&text);
        let mut rng = Rng::stream(seed, "bounds");
        for _ in 0..100 {
            let drawn = sizes.draw(&mut rng);
            prop_assert!((u64::from(steps[0].0)..=u64::from(size)).contains(&drawn), "{}", drawn);
        }
    }
}
