//! Places of nodes: positions, placements, mobility.

use crate::model::{Place, Start};
use crate::scenario::ScenarioError;
use crate::scenario::wire::{File, Node};
use radio::mobility::Config as Mobility;
use radio::placement::Config as Placement;

/// Returns the place of each node whose table gives one, in the order of the tables.
pub(super) fn places(file: &File) -> Result<Vec<Option<Box<Place>>>, ScenarioError> {
    let mut on_grid = 0;
    let place =
        |(i, node)| place(node, &mut on_grid).map_err(|e: ScenarioError| e.under(&format!("node.{i}")));
    file.node.iter().enumerate().map(place).collect()
}

fn place(node: &Node, on_grid: &mut u32) -> Result<Option<Box<Place>>, ScenarioError> {
    let mobility = node.mobility.clone();
    let start = match (node.position, &node.placement, mobility.as_ref().and_then(Mobility::track)) {
        (None, None, Some(track)) => Start::At(track.start()),
        (position, _, Some(_)) => {
            let key = if position.is_some() { "position" } else { "placement" };
            let message = "the movement file says where the node starts";
            return Err(ScenarioError::new(key, message).allowed(format!("no `{key}` here")));
        }
        (Some(_), Some(_), _) => {
            let message = "a node starts at one place: here is another beside `position`";
            return Err(ScenarioError::new("placement", message).allowed("`position` or `placement`"));
        }
        (Some(at), None, _) => Start::At(at),
        (None, Some(Placement::Grid(grid)), _) => {
            *on_grid += 1;
            Start::At(grid.place(*on_grid - 1))
        }
        (None, Some(drawn), _) => Start::Drawn(drawn.clone()),
        (None, None, _) => {
            return match mobility {
                None | Some(Mobility::Constant) => Ok(None),
                _ => Err(ScenarioError::new("position", "a node that moves starts somewhere")
                    .allowed("position = [x, y], or placement = { kind = ... }")),
            };
        }
    };
    Ok(Some(Box::new(Place { start, mobility })))
}
