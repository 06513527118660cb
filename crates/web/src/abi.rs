//! Exported functions of the WebAssembly module. The caller writes a command into memory that `reserve` provides, and
//! reads the answer from the module's memory, where it stays until the next call.
#![allow(unsafe_code, reason = "the names of exported functions are an interface that the linker sees")]

use crate::lab::Lab;
use std::cell::RefCell;

#[derive(Default)]
struct State {
    lab: Lab,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Returns the address at which `length` bytes of a command can be written.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input = vec![0; length];
        state.input.as_mut_ptr()
    })
}

/// Carries out the command that was written into the reserved memory; returns 0 if it succeeded and 1 if the answer is
/// an error.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call() -> u32 {
    STATE.with_borrow_mut(|state| {
        let command = std::mem::take(&mut state.input);
        // The former answer is freed before the next is made.
        state.output = Vec::new();
        let answer = state.lab.call(&command);
        let failed = u32::from(answer.is_err());
        state.output = answer.unwrap_or_else(|problem| problem.to_json());
        failed
    })
}

/// Returns the address of the answer to the last call.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Returns the length of the answer to the last call, bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_length() -> usize {
    STATE.with_borrow(|state| state.output.len())
}
