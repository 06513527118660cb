//! Parameters of radio link control (ranges: TS 36.331, section 6.3.2, RLC-Config).

use crate::forms::Subframes;
use settings::Size;
use settings::schema::Json;
use settings::setting::misplaced;
use settings::{Choice, Error, Field, Node, Schemas, Setting, Settings, table};

/// Mode of RLC with its parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    /// Unacknowledged mode: PDUs that HARQ gives up are lost.
    Um(UmConfig),
    /// Acknowledged mode: PDUs that HARQ gives up are sent again.
    Am(AmConfig),
}

impl Default for Mode {
    fn default() -> Self {
        Self::Um(UmConfig::default())
    }
}

/// RLC parameters of a bearer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Mode, with the parameters that depend on it.
    pub mode: Mode,
    /// Limit on the packets that wait for their first transmission, bytes with PDCP headers.
    pub buffer: u64,
    /// PDCP header, bytes.
    pub pdcp_header: u32,
}

impl Default for Config {
    fn default() -> Self {
        let Common { buffer, pdcp_header, .. } = Common::default();
        Self { mode: Mode::default(), buffer, pdcp_header }
    }
}

/// Form of the table, for error messages.
const TABLE: &str = "a table: { mode = \"um\", buffer = \"10240B\" }";

/// Name of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
enum Name {
    /// unacknowledged: PDUs that HARQ gives up are lost
    Um,
    /// acknowledged: PDUs that HARQ gives up are sent again
    Am,
}

/// Settings of both modes.
#[derive(Clone, Copy, Debug, Settings)]
struct Common {
    /// Mode: "um" loses PDUs that HARQ gives up, "am" sends them again.
    #[setting(default = Name::Um)]
    mode: Name,
    /// Limit on the packets that wait for their first transmission (ns-3: "10240B").
    #[setting(default = 1_000_000, range = 1..=1 << 32, allowed = "room for a packet to \"4GiB\"", form = Size)]
    buffer: u64,
    /// Size of the PDCP header: 2 bytes hold a sequence number of 12 bits, 1 byte one of 7 bits.
    #[setting(default = 2, range = 1..=3, form = Size, source = "TS 36.323, section 6.2.3")]
    pdcp_header: u32,
}

/// Parameters of unacknowledged mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct UmConfig {
    /// Time for which the receiver waits for a missing PDU that HARQ may still deliver (t-Reordering).
    #[setting(default = 35, range = 0..=1600, form = Subframes)]
    pub reordering: u32,
    /// With "um": length of the sequence number, bits.
    #[setting(name = "sequence_bits", default = SequenceNumber::Long)]
    pub sequence_number: SequenceNumber,
}

/// Length of the sequence number in unacknowledged mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SequenceNumber {
    /// 5 bits, in headers of 1 byte.
    Short,
    /// 10 bits, in headers of 2 bytes.
    #[default]
    Long,
}

/// Parameters of acknowledged mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct AmConfig {
    /// Time for which the receiver waits for a missing PDU that HARQ may still deliver (t-Reordering).
    #[setting(default = 35, range = 0..=1600, form = Subframes)]
    pub reordering: u32,
    /// With "am": time after which an unanswered poll is repeated (t-PollRetransmit).
    #[setting(default = 45, range = 5..=4000, form = Subframes)]
    pub poll_retransmit: u32,
    /// With "am": PDUs after which the sender polls (pollPDU).
    #[setting(default = 16, range = 1..=511)]
    pub poll_pdus: u32,
    /// With "am": bytes after which the sender polls (pollByte).
    #[setting(default = 25_000, range = 1..=u32::MAX, form = Size)]
    pub poll_bytes: u32,
    /// With "am": most retransmissions of a PDU; then its packets are lost (maxRetxThreshold).
    #[setting(default = 8, range = 1..=32)]
    pub retransmissions: u32,
    /// With "am": least time between two status reports (t-StatusProhibit); "0s": no limit.
    #[setting(default = 10, range = 0..=2400, form = Subframes)]
    pub status_prohibit: u32,
}

impl Setting for SequenceNumber {
    fn expected() -> String {
        "5, 10".to_owned()
    }
    fn value() -> String {
        "5, 10".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match node.as_u64() {
            Some(5) => Ok(Self::Short),
            Some(10) => Ok(Self::Long),
            Some(_) => Err(Error::new("", "a sequence number has 5 or 10 bits").allowed(Self::expected())),
            None => Err(misplaced(node, u32::expected())),
        }
    }
    fn write(&self) -> Node {
        match self {
            Self::Short => 5_u32.into(),
            Self::Long => 10_u32.into(),
        }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        u32::schema(schemas)
    }
}

/// Refuses the keys of the mode `other`, with settings `Other`, that mode `here` does not have.
fn refuse<Here: Settings, Other: Settings>(table: &Node, here: &str, other: &str) -> Result<(), Error> {
    let given = |key: &&str| !Here::knows(key) && table.get(key).is_some();
    let Some(key) = table::names::<Other>().into_iter().find(given) else { return Ok(()) };
    let message = format!("mode \"{here}\" has no `{key}`");
    Err(Error::new(key, message).allowed(format!("mode = \"{other}\"")))
}

impl Config {
    /// Returns ns-3.37's values for this mode: its timers, and in acknowledged mode a poll in each PDU.
    #[must_use]
    pub(crate) fn like_ns3(self) -> Self {
        let mode = match self.mode {
            Mode::Um(um) => Mode::Um(UmConfig { reordering: 100, ..um }),
            Mode::Am(am) => Mode::Am(AmConfig {
                reordering: 10,
                poll_retransmit: 20,
                poll_pdus: 1,
                status_prohibit: 10,
                ..am
            }),
        };
        Self { mode, ..self }
    }

    fn common(&self) -> Common {
        let &Self { mode, buffer, pdcp_header } = self;
        Common { mode: if matches!(mode, Mode::Um(_)) { Name::Um } else { Name::Am }, buffer, pdcp_header }
    }
}

impl Settings for Config {
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool {
        Common::any_key(test)
            || UmConfig::any_key(test)
            || AmConfig::any_key(&mut |key| !UmConfig::knows(key) && test(key))
    }

    fn fields(schemas: &mut Schemas) -> Vec<Field> {
        let mut of_am = AmConfig::fields(schemas);
        of_am.retain(|field| !UmConfig::knows(field.name));
        [Common::fields(schemas), UmConfig::fields(schemas), of_am].concat()
    }

    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error> {
        let common = base.map(Self::common);
        let Common { mode, buffer, pdcp_header } = Common::read_fields(table, common.as_ref())?;
        let mode = match (mode, base.map(|base| base.mode)) {
            (Name::Um, base) => {
                refuse::<UmConfig, AmConfig>(table, "um", "am")?;
                let base = base.and_then(|base| if let Mode::Um(um) = base { Some(um) } else { None });
                Mode::Um(UmConfig::read_fields(table, base.as_ref())?)
            }
            (Name::Am, base) => {
                refuse::<AmConfig, UmConfig>(table, "am", "um")?;
                let base = base.and_then(|base| if let Mode::Am(am) = base { Some(am) } else { None });
                Mode::Am(AmConfig::read_fields(table, base.as_ref())?)
            }
        };
        Ok(Self { mode, buffer, pdcp_header })
    }

    fn write_fields(&self, table: &mut Node) {
        self.common().write_fields(table);
        match self.mode {
            Mode::Um(um) => um.write_fields(table),
            Mode::Am(am) => am.write_fields(table),
        }
    }
}

impl Setting for Config {
    fn expected() -> String {
        TABLE.to_owned()
    }
    fn value() -> String {
        "table".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        table::read(node, TABLE, None)
    }
    fn read_over(node: &Node, base: &Self) -> Result<Self, Error> {
        table::read(node, TABLE, Some(base))
    }
    fn write(&self) -> Node {
        let mut table = Node::table();
        self.write_fields(&mut table);
        table
    }
    fn schema(schemas: &mut Schemas) -> Json {
        table::schema(&Self::fields(schemas), "Radio link control.")
    }
}
