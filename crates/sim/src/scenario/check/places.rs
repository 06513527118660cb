//! Places of nodes: positions, placements, movements.

use crate::model::{Place, Start};
use crate::scenario::ScenarioError;
use crate::scenario::wire::places::{self as wire, Mobility, Pause, Placement, Spacing, Speed};
use crate::scenario::wire::scalar::Time;
use crate::scenario::wire::{File, Node};
use base::Duration;
use radio::Position;
use radio::mobility::trace::{Dimensions, TraceError, Track, bonnmotion, setdest};
use radio::mobility::{Config, Step};
use radio::placement;

/// Steps and intervals of movements: shorter ones are not movements but noise.
const SHORTEST: Duration = Duration::from_ms(1);

/// The place of each node that has a table: of those that say it, in order of the tables.
pub fn places(file: &File) -> Result<Vec<Option<Place>>, ScenarioError> {
    let mut on_grid = 0;
    file.node.iter().enumerate().map(|(i, node)| place(node, &format!("node.{i}"), &mut on_grid)).collect()
}

fn place(node: &Node, path: &str, on_grid: &mut u32) -> Result<Option<Place>, ScenarioError> {
    let (mobility, given) = mobility(node.mobility.as_deref(), &format!("{path}.mobility"))?;
    let start = match (&node.position, &node.placement, &mobility) {
        (None, None, Config::Track(track)) => Some(Start::At(track.start())),
        (_, _, Config::Track(_)) => {
            let key = if node.position.is_some() { "position" } else { "placement" };
            let message = "the movement file says where the node starts";
            return Err(
                ScenarioError::new(format!("{path}.{key}"), message).allowed(format!("no `{key}` here"))
            );
        }
        (Some(_), Some(_), _) => {
            let message = "a node starts at one place: here is another beside `position`";
            return Err(
                ScenarioError::new(format!("{path}.placement"), message).allowed("`position` or `placement`")
            );
        }
        (Some(at), None, _) => Some(Start::At(at.0.0)),
        (None, Some(placement), _) => Some(start(placement, &format!("{path}.placement"), on_grid)?),
        (None, None, _) => None,
    };
    let Some(start) = start else {
        return match mobility {
            Config::Constant => Ok(None),
            _ => Err(ScenarioError::new(format!("{path}.position"), "a node that moves starts somewhere")
                .allowed("position = [x, y], or placement = { kind = ... }")),
        };
    };
    Ok(Some(Place { start, mobility, given }))
}

fn start(placement: &Placement, path: &str, on_grid: &mut u32) -> Result<Start, ScenarioError> {
    let origin = |given: Option<wire::Place>| given.map_or(Position::default(), |at| at.0);
    match placement {
        Placement::Grid(grid) => {
            if grid.columns == 0 {
                return Err(
                    ScenarioError::new(format!("{path}.columns"), "a row has places").allowed("at least 1")
                );
            }
            let index = grid.index.unwrap_or(*on_grid);
            *on_grid += 1;
            let Spacing([dx, dy]) = grid.spacing;
            let [column, row] = [index % grid.columns, index / grid.columns].map(f64::from);
            let at = origin(grid.origin);
            Ok(Start::At(Position::new(at.x + column * dx, at.y + row * dy, at.z)))
        }
        Placement::Disc(disc) => {
            let radius = metres(disc.radius, &format!("{path}.radius"))?;
            Ok(Start::Drawn(placement::Config::Disc { centre: origin(disc.center), radius }))
        }
        Placement::Uniform(uniform) => {
            let height = uniform.height.unwrap_or(0.0);
            metres(height.abs(), &format!("{path}.height"))?;
            Ok(Start::Drawn(placement::Config::Uniform { bounds: uniform.bounds.0, z: height }))
        }
    }
}

/// A movement, and how the scenario could have given it with every parameter.
fn mobility(given: Option<&Mobility>, path: &str) -> Result<(Config, Option<Mobility>), ScenarioError> {
    let at = |key: &str| format!("{path}.{key}");
    let step = |key: &str, time: Time| {
        if time.0 >= SHORTEST {
            return Ok(time.0);
        }
        Err(ScenarioError::new(at(key), "out of range").allowed("at least \"1ms\""))
    };
    let Some(given) = given else { return Ok((Config::Constant, None)) };
    let mut filled = given.clone();
    let config = match &mut filled {
        Mobility::Constant(_) => Config::Constant,
        Mobility::RandomWalk(walk) => {
            let turn = match (walk.time, walk.distance) {
                (Some(_), Some(_)) => {
                    let message = "a walk turns after a time or after a distance: here are both";
                    return Err(ScenarioError::new(at("distance"), message).allowed("one of them"));
                }
                (Some(time), None) => Step::Time(step("time", time)?),
                (None, distance) => {
                    let distance = distance.unwrap_or(1.0);
                    if !(0.001..=1e7).contains(&distance) {
                        return Err(ScenarioError::new(at("distance"), "out of range")
                            .allowed("metres, at least 0.001"));
                    }
                    walk.distance = Some(distance);
                    Step::Distance(distance)
                }
            };
            let speed = walk.speed.get_or_insert(Speed([2.0, 4.0])).0;
            Config::RandomWalk { bounds: walk.bounds.0, speed, step: turn }
        }
        Mobility::RandomDestination(model) => {
            let speed = model.speed.get_or_insert(Speed([0.0, 5.0])).0;
            let interval = *model.interval.get_or_insert(Time(Duration::from_secs(30)));
            let interval = step("interval", interval)?;
            Config::RandomDestination { bounds: model.bounds.0, speed, interval }
        }
        Mobility::RandomWaypoint(model) => {
            let Pause(pause) = *model.pause.get_or_insert(Pause([Time(Duration::ZERO); 2]));
            let starts_paused = *model.starts_paused.get_or_insert(false);
            let Speed(speed) = model.speed;
            let bounds = model.bounds.0;
            if speed[1] == 0.0 {
                return Err(ScenarioError::new(at("speed"), "at this speed no destination is reached")
                    .allowed("a greatest speed above 0"));
            }
            if bounds.x[0] == bounds.x[1] && bounds.y[0] == bounds.y[1] && pause[1].0.is_zero() {
                return Err(ScenarioError::new(at("bounds"), "the only destination is where the node is")
                    .allowed("a larger rectangle, or a `pause`"));
            }
            Config::RandomWaypoint { bounds, speed, pause: pause.map(|time| time.0), starts_paused }
        }
        Mobility::GaussMarkov(model) => {
            let mean_speed = speed(model.mean_speed, &at("mean_speed"))?;
            let memory = *model.memory.get_or_insert(0.85);
            if !(0.0..=1.0).contains(&memory) {
                return Err(ScenarioError::new(at("memory"), "out of range").allowed("0 to 1"));
            }
            let deviation = *model.speed_deviation.get_or_insert(mean_speed / 10.0);
            let turn = *model.direction_deviation.get_or_insert(30.0);
            let direction = model.mean_direction;
            for (key, angle) in [("direction_deviation", turn), ("mean_direction", direction.unwrap_or(0.0))]
            {
                if angle.abs() > 360.0 || (key == "direction_deviation" && angle < 0.0) {
                    return Err(ScenarioError::new(at(key), "out of range").allowed("degrees, at most 360"));
                }
            }
            Config::GaussMarkov {
                bounds: model.bounds.0,
                memory,
                mean_speed,
                mean_direction: direction.map(f64::to_radians),
                speed_deviation: speed(deviation, &at("speed_deviation"))?,
                direction_deviation: turn.to_radians(),
                step: step("step", *model.step.get_or_insert(Time(Duration::from_secs(1))))?,
            }
        }
        Mobility::Setdest(model) => {
            let orders = content(model.orders.as_deref(), model.trace.as_deref(), path, "orders")?;
            let tracks = setdest(orders).map_err(|e| unreadable(&e, &at("orders")))?;
            let mut tracks = tracks.into_values();
            let (Some(track), None) = (tracks.next(), tracks.next()) else {
                return Err(ScenarioError::new(at("orders"), "these are not the orders of one node")
                    .allowed("lines about one `$node_(N)`"));
            };
            (model.trace, model.node) = (None, None);
            Config::Track(track)
        }
        Mobility::BonnMotion(model) => {
            let dimensions = *model.dimensions.get_or_insert(2);
            let dimensions = dimensions_of(dimensions, &at("dimensions"))?;
            let waypoints = content(model.waypoints.as_deref(), model.trace.as_deref(), path, "waypoints")?;
            let tracks = bonnmotion(waypoints, dimensions).map_err(|e| unreadable(&e, &at("waypoints")))?;
            let [track]: [Track; 1] = tracks.try_into().map_err(|_| {
                ScenarioError::new(at("waypoints"), "these are not the waypoints of one node")
                    .allowed("one line: \"0 10 20 5.5 30 40\"")
            })?;
            (model.trace, model.node) = (None, None);
            Config::Track(track)
        }
    };
    Ok((config, Some(filled)))
}

/// The content of a movement file.
fn content<'a>(
    content: Option<&'a str>,
    trace: Option<&str>,
    path: &str,
    key: &str,
) -> Result<&'a str, ScenarioError> {
    content.ok_or_else(|| {
        let message = if trace.is_some() { "the file has not been read" } else { "`trace` is missing" };
        ScenarioError::new(format!("{path}.trace"), message).allowed(format!(
            "a movement file and the node's number in it, trace = \"FILE\", node = 0; or `{key}`"
        ))
    })
}

/// Dimensions of a BonnMotion file.
pub fn dimensions_of(given: u8, path: &str) -> Result<Dimensions, ScenarioError> {
    match given {
        2 => Ok(Dimensions::Two),
        3 => Ok(Dimensions::Three),
        _ => Err(ScenarioError::new(path, "a place has two or three coordinates").allowed("2, 3")),
    }
}

fn unreadable(error: &TraceError, path: &str) -> ScenarioError {
    ScenarioError::new(path, error.to_string())
}

fn metres(metres: f64, path: &str) -> Result<f64, ScenarioError> {
    if (0.0..=1e7).contains(&metres) {
        return Ok(metres);
    }
    Err(ScenarioError::new(path, "out of range").allowed("metres, at most 10000000"))
}

fn speed(speed: f64, path: &str) -> Result<f64, ScenarioError> {
    if (0.0..=1e5).contains(&speed) {
        return Ok(speed);
    }
    Err(ScenarioError::new(path, "out of range").allowed("metres a second, 0 to 100000"))
}
