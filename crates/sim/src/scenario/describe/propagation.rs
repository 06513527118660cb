//! Propagation written back.

use crate::scenario::wire::propagation::{
    City, Cost231, Environment, Fading, Friis, LogDistance, LogNormal, Nakagami, NoFading, OkumuraHata,
    PathLoss, Range, TwoRay,
};
use radio::propagation;

pub(super) fn path_loss(loss: &propagation::PathLoss) -> PathLoss {
    match *loss {
        propagation::PathLoss::Friis => PathLoss::Friis(Friis {}),
        propagation::PathLoss::TwoRayGround => PathLoss::TwoRay(TwoRay {}),
        propagation::PathLoss::LogDistance { exponent, reference_distance, reference_loss } => {
            PathLoss::LogDistance(LogDistance {
                exponent: Some(exponent),
                reference_distance: Some(reference_distance),
                reference_loss,
            })
        }
        propagation::PathLoss::Range { range } => PathLoss::Range(Range { range }),
        propagation::PathLoss::OkumuraHata { environment, city } => PathLoss::OkumuraHata(OkumuraHata {
            environment: Some(Environment(environment)),
            city: Some(City(city)),
        }),
        propagation::PathLoss::Cost231Hata { city } => PathLoss::Cost231(Cost231 { city: Some(City(city)) }),
    }
}

pub(super) fn fading(fading: &propagation::Fading) -> Fading {
    match *fading {
        propagation::Fading::None => Fading::None(NoFading {}),
        propagation::Fading::Rayleigh => Fading::Rayleigh(NoFading {}),
        propagation::Fading::Nakagami { shapes, distances } => {
            Fading::Nakagami(Nakagami { shapes: Some(shapes), distances: Some(distances) })
        }
        propagation::Fading::LogNormal { deviation } => Fading::LogNormal(LogNormal { deviation }),
    }
}
