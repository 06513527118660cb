//! The `kernel` table of a flow.

use settings::{Choice, Settings, Size};

/// A kernel whose TCP a flow can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Stack {
    /// Linux 6.12, as `make kernel` builds it
    Linux,
}

/// A congestion control of the kernel, by its name there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Control {
    /// Reno with SACK and RACK
    Reno,
    /// CUBIC with HyStart
    Cubic,
    /// BIC
    Bic,
    /// Westwood+
    Westwood,
    /// H-TCP
    Htcp,
    /// HighSpeed TCP
    Highspeed,
    /// Hybla
    Hybla,
    /// Vegas
    Vegas,
    /// New Vegas
    Nv,
    /// Scalable TCP
    Scalable,
    /// Low Priority
    Lp,
    /// Veno
    Veno,
    /// YeAH
    Yeah,
    /// Illinois
    Illinois,
    /// DCTCP
    Dctcp,
    /// CAIA Delay-Gradient
    Cdg,
    /// BBR version 1
    Bbr,
}

impl Control {
    /// All congestion controls.
    pub const ALL: &'static [Self] = Self::VALUES;

    /// Returns the name in the kernel.
    pub fn name(self) -> &'static str {
        self.word()
    }
}

/// The kernel's own TCP at both ends of a flow, in simulated time; `make kernel` builds the kernel. A run takes about a
/// hundred times as long as with endpoints of this simulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(named = "kernel", expecting = "a table: { control = \"cubic\" }")]
pub struct Table {
    /// Kernel whose TCP is used.
    #[setting(default = Stack::Linux)]
    pub stack: Stack,
    /// Congestion control of the kernel. The flow's table `tcp = { stack = "linux", control = "cubic" }` is
    /// another way to write `kernel = { control = "cubic" }`.
    #[setting(needed = "a congestion control of the kernel: control = \"cubic\"")]
    pub control: Control,
    /// Use ECN: the kernel's sysctl net.ipv4.tcp_ecn is then 1.
    #[setting(default = false)]
    pub ecn: bool,
    /// Initial size of the receiver's buffer (the second value of net.ipv4.tcp_rmem). The kernel's autotuning
    /// raises it to at most 64 MiB.
    #[setting(default = 131_072, form = Size, range = 4096..=67_108_864, allowed = "4 KiB to 64 MiB")]
    pub receive_buffer: u32,
}
