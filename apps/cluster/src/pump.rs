//! Messages between the ranks: one thread talks to MPI, the others compute.
//!
//! MPI is asked for no more than that the thread that began it may use it while others run. So this
//! thread does nothing else: it sends what it is given to all other ranks, and passes on what comes in.
//! While a message is on its way others are received: no two ranks can wait for each other.

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::Duration;

/// What came from a rank.
pub(crate) type Letter = (usize, Vec<u32>);

/// How long to wait when there is nothing to do: at first, and at most.
const A_MOMENT: Duration = Duration::from_micros(50);
const A_WHILE: Duration = Duration::from_millis(2);

/// Bytes that went out and came in.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}

/// Sends and receives until nobody is left who could give something to send, or `ended` says so.
pub(crate) fn pump(
    world: &SimpleCommunicator,
    out: &Receiver<Vec<u32>>,
    inbox: &Sender<Letter>,
    traffic: &Traffic,
    ended: &dyn Fn() -> bool,
) {
    let mut idle = A_MOMENT;
    loop {
        let mut busy = receive(world, inbox, traffic);
        match out.try_recv() {
            Ok(message) => {
                send(world, &message, inbox, traffic);
                busy = true;
            }
            Err(TryRecvError::Empty) if !busy && ended() => return,
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return,
        }
        if busy {
            idle = A_MOMENT;
        } else {
            std::thread::sleep(idle);
            idle = (2 * idle).min(A_WHILE);
        }
    }
}

/// Receives what is there. Says whether there was something.
fn receive(world: &SimpleCommunicator, inbox: &Sender<Letter>, traffic: &Traffic) -> bool {
    let mut any = false;
    while let Some(status) = world.any_process().immediate_probe() {
        let from = status.source_rank();
        let length = usize::try_from(status.count(u32::equivalent_datatype())).unwrap_or(0);
        let mut message = vec![0u32; length];
        world.process_at_rank(from).receive_into(&mut message[..]);
        traffic.received.fetch_add(4 * length as u64, Ordering::Relaxed);
        // Nobody listens any more only when the rank is about to end.
        let _ = inbox.send((usize::try_from(from).unwrap_or(0), message));
        any = true;
    }
    any
}

/// Sends a message to all others.
fn send(world: &SimpleCommunicator, message: &[u32], inbox: &Sender<Letter>, traffic: &Traffic) {
    let others = (0..world.size()).filter(|&rank| rank != world.rank());
    let others: Vec<_> = others.map(|rank| world.process_at_rank(rank)).collect();
    traffic.sent.fetch_add(4 * (message.len() * others.len()) as u64, Ordering::Relaxed);
    mpi::request::scope(|scope| {
        let sent = others.iter().map(|other| other.immediate_send(scope, message));
        let mut sent: Vec<_> = sent.collect();
        while !sent.is_empty() {
            sent = sent.into_iter().filter_map(|request| request.test().err()).collect();
            if !receive(world, inbox, traffic) && !sent.is_empty() {
                std::thread::yield_now();
            }
        }
    });
}
