#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::lte_network(data));
