//! An evaluator joins the ruleset, the valuation and the engine of a game. The code above it knows only boards, words and
//! canonical forms.

use std::sync::{Arc, Mutex, PoisonError};

use bytesize::ByteSize;
use cggames::board::{AnyBoard, Key, brief};
use cggames::game::{AnyOrder, GoesOn, Manner, Play, Player, PotGame, ReachableRows, Stopped};
use cgsolvers::{
    Control, Ending, Endings, Engine, EngineError, Followers, FormOf, Genera, Genus, KnownValues,
    LOOPY, LoopyRows, Memo, MisereForms, NothingKnown, OutcomeSearch, Search, Shared, Word,
    count_followers_within,
};
use cgvalues::Arena;
use seedbank_memory::lock;

use super::loopy::LoopySolution;
use super::seal::namespace;
use super::stored::Stored;
use super::swept::{Room, Sweeping, Swept, SweptWords};
use crate::dataset::VALUE_CHARS_MAX;
use crate::run::RunError;

/// Finds the values of boards, and counts their followers.
pub(crate) trait Evaluator: Sync {
    /// How the game is played.
    fn manner(&self) -> Manner;

    /// Who may make which moves.
    fn play(&self) -> Play {
        self.manner().play
    }

    /// The arena with the canonical forms of the values.
    fn arena(&self) -> &Arena;

    /// The stop flag and the count of positions.
    fn control(&self) -> &Control;

    /// The values found.
    fn memo(&self) -> &Memo;

    /// A calculator that turns values into canonical forms.
    fn form_of(&self) -> FormOf;

    /// Returns an error if a board is not a position of the game, or has a component that is too large for a key.
    fn check(&self, board: &AnyBoard) -> Result<(), EngineError>;

    /// Returns the board of a stored key, or `None` if no position has the key.
    fn board_of_stored(&self, key: Key) -> Option<AnyBoard>;

    /// Begins a search for one thread, with its own scratch memory.
    fn search(&self) -> Box<dyn BoardSearch + '_>;

    /// Evaluates a board on all idle threads of the pool. Returns false if it was given up, since `goes_on`, which is passed
    /// the positions evaluated since its last call, returned false. Otherwise the values of the board's components are in
    /// the memo or in the store.
    fn evaluate_together(
        &self,
        board: &AnyBoard,
        threads: usize,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<bool, RunError>;

    /// Returns components whose sum is the position, as [`Ruleset::components`] does.
    ///
    /// [`Ruleset::components`]: cggames::game::Ruleset::components
    fn components(&self, board: &AnyBoard) -> Result<Vec<AnyBoard>, EngineError>;

    /// Returns the negative of a board, with Left's and Right's options exchanged.
    fn negative(&self, board: &AnyBoard) -> Result<AnyBoard, EngineError>;

    /// Returns the number of the player's options.
    fn count_options(&self, board: &AnyBoard, player: Player) -> Result<usize, EngineError>;

    /// Returns the statistics of the position's followers.
    fn followers(&self, board: &AnyBoard) -> Result<Followers, EngineError>;

    /// Counts the position's followers; returns `None` if there are more than `most`.
    fn count_followers_within(
        &self,
        board: &AnyBoard,
        most: u64,
    ) -> Result<Option<u64>, EngineError>;

    /// Returns whether play can return to a position.
    fn is_loopy(&self) -> bool;

    /// Returns how play ends for Left and Right where they move first, nobody errs and play need not end.
    fn endings(&self, board: &AnyBoard) -> Result<[Ending; 2], EngineError>;

    /// Returns the value of a board from which play can return to a position.
    fn loopy(&self, board: &AnyBoard) -> Result<LoopySolution, EngineError>;

    /// Returns how play of a sum of boards and a nim heap ends for Left and Right where they move first, by a search for wins
    /// that takes at most `memory`.
    ///
    /// # Errors
    ///
    /// Also if play need not end.
    fn endings_of_sum(
        &self,
        boards: &[&AnyBoard],
        heap: u8,
        memory: ByteSize,
    ) -> Result<[Ending; 2], EngineError>;

    /// Returns the genus of a board in impartial play, or `None` if a follower lies on a cycle.
    fn genus(&self, board: &AnyBoard) -> Result<Option<Arc<Genus>>, EngineError>;

    /// Returns the misère canonical form of a board in impartial play, or `None` if a follower lies on a cycle or the form
    /// takes more characters than results have.
    fn misere_form(&self, board: &AnyBoard) -> Result<Option<String>, EngineError>;

    /// Returns the pots by which sweeps number the position, or `None` if no sweep numbers it.
    fn swept_pots(&self, board: &AnyBoard) -> Option<Vec<u8>>;

    /// Returns whether the value of a position is in the memo or among the known values.
    fn is_known(&self, board: &AnyBoard) -> Result<bool, EngineError>;

    /// Puts the value of a position into the memo.
    fn enter(&self, board: &AnyBoard, value: Word) -> Result<(), EngineError>;

    /// Returns [`Ruleset::reachable_rows`] whose values take at most `bytes_max` bytes.
    ///
    /// [`Ruleset::reachable_rows`]: cggames::game::Ruleset::reachable_rows
    fn reachable_rows(
        &self,
        pots: usize,
        seeds: usize,
        bytes_max: u64,
        goes_on: &GoesOn,
    ) -> Result<Option<ReachableRows>, Stopped>;

    /// Values all rows of an order; see [`Sweeping::values`].
    fn sweep(
        &self,
        order: &AnyOrder,
        name: (&str, &str),
        room: Room<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Box<dyn SweptWords>, RunError>;
}

/// Engines for what is asked about misère play of impartial positions beside the main question; nothing of it is stored.
pub(crate) struct MisereEngines<R> {
    genera: Engine<R, Genera>,
    forms: Engine<R, MisereForms>,
}

impl<R: PotGame> MisereEngines<R> {
    pub(crate) fn new(ruleset: &R, control: &Arc<Control>) -> MisereEngines<R> {
        let genera = Engine::new(ruleset.clone(), Genera::default());
        let forms = Engine::new(ruleset.clone(), MisereForms::default());
        MisereEngines {
            genera: genera.controlled_by(Arc::clone(control)),
            forms: forms.controlled_by(Arc::clone(control)),
        }
    }

    /// Returns the bytes in use, and those by which the memos would grow next.
    pub(crate) fn bytes(&self) -> [u64; 2] {
        let MisereEngines { genera, forms } = self;
        [
            genera.bytes() + forms.bytes(),
            genera.memo.growth() + forms.memo.growth(),
        ]
    }
}

/// A search of one thread.
pub(crate) trait BoardSearch: Send {
    /// Returns the value of a board, from the sweep if the sweep has it. Returns `None` if the search would take more than
    /// `positions_max` positions.
    fn value(
        &mut self,
        board: &AnyBoard,
        swept: Option<&Swept>,
        positions_max: u64,
    ) -> Result<Option<Word>, RunError>;
}

/// The evaluator of a ruleset and a valuation, with the values known from a store.
pub(crate) struct AtWork<'a, R, V> {
    engine: &'a Engine<R, V>,
    misere: &'a MisereEngines<R>,
    known: &'a dyn KnownValues,
    /// Locked while one thread computes it, because all threads use the result.
    endings: Mutex<Endings>,
    /// Likewise.
    loopy: Mutex<LoopyRows<'a>>,
}

impl<'a, R: PotGame, V: Stored> AtWork<'a, R, V> {
    pub(crate) fn new(
        engine: &'a Engine<R, V>,
        misere: &'a MisereEngines<R>,
        known: &'a dyn KnownValues,
    ) -> AtWork<'a, R, V> {
        AtWork {
            engine,
            misere,
            known,
            endings: Mutex::new(Endings::new(engine.valuation.manner())),
            loopy: Mutex::new(LoopyRows::new(&engine.valuation, &engine.control)),
        }
    }
}

impl<R: PotGame, V: Stored> AtWork<'_, R, V> {
    fn position(&self, board: &AnyBoard) -> Result<R::Position, EngineError> {
        Ok(self.engine.ruleset.position_on(board)?)
    }

    fn evaluate_component(
        &self,
        position: &R::Position,
        threads: usize,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<bool, EngineError> {
        let shared = Shared::new(position, goes_on);
        let failed = Mutex::new(None);
        let evaluate = |worker: usize| {
            let mut search = self.engine.search(self.known);
            if let Err(error) = search.evaluate_shared(&shared, worker) {
                lock(&failed).get_or_insert(error);
            }
        };
        on_threads(threads, &evaluate);
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(shared.is_found()), Err)
    }
}

/// Calls `work` with the numbers below `threads`, each on an idle thread of the pool.
fn on_threads(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    rayon::scope(|scope| {
        for worker in 1..threads {
            scope.spawn(move |_| work(worker));
        }
        work(0);
    });
}

impl<R: PotGame, V: Stored> Evaluator for AtWork<'_, R, V> {
    fn manner(&self) -> Manner {
        self.engine.valuation.manner()
    }

    fn arena(&self) -> &Arena {
        self.engine.valuation.arena()
    }

    fn control(&self) -> &Control {
        &self.engine.control
    }

    fn memo(&self) -> &Memo {
        &self.engine.memo
    }

    fn form_of(&self) -> FormOf {
        V::form
    }

    fn check(&self, board: &AnyBoard) -> Result<(), EngineError> {
        self.engine.keys(&self.position(board)?)?;
        Ok(())
    }

    fn board_of_stored(&self, key: Key) -> Option<AnyBoard> {
        let ruleset = &self.engine.ruleset;
        let position = ruleset.position_of_stored(key)?;
        Some(ruleset.board(&position).into())
    }

    fn search(&self) -> Box<dyn BoardSearch + '_> {
        Box::new(self.engine.search(self.known))
    }

    fn evaluate_together(
        &self,
        board: &AnyBoard,
        threads: usize,
        goes_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<bool, RunError> {
        let position = self.position(board)?;
        // The components take the time. The worker that needs their sum adds them.
        let components = if V::ADDS {
            self.engine.ruleset.components(&position)
        } else {
            vec![position]
        };
        for component in components {
            let found = self.evaluate_component(&component, threads, goes_on);
            if !found.map_err(|error| no_value(board, error))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn components(&self, board: &AnyBoard) -> Result<Vec<AnyBoard>, EngineError> {
        let ruleset = &self.engine.ruleset;
        let components = ruleset.components(&self.position(board)?);
        let boards = components.iter().map(|part| ruleset.board(part).into());
        Ok(boards.collect())
    }

    fn negative(&self, board: &AnyBoard) -> Result<AnyBoard, EngineError> {
        let ruleset = &self.engine.ruleset;
        let negative = ruleset.negative(&self.position(board)?);
        Ok(ruleset.board(&negative).into())
    }

    fn count_options(&self, board: &AnyBoard, player: Player) -> Result<usize, EngineError> {
        let ruleset = &self.engine.ruleset;
        Ok(ruleset.count_options(&self.position(board)?, player)?)
    }

    fn followers(&self, board: &AnyBoard) -> Result<Followers, EngineError> {
        let position = self.position(board)?;
        Followers::of(&self.engine.ruleset, &position, &self.engine.control)
    }

    fn count_followers_within(
        &self,
        board: &AnyBoard,
        most: u64,
    ) -> Result<Option<u64>, EngineError> {
        let position = self.position(board)?;
        count_followers_within(&self.engine.ruleset, &position, &self.engine.control, most)
    }

    fn is_loopy(&self) -> bool {
        self.engine.ruleset.is_loopy()
    }

    fn endings(&self, board: &AnyBoard) -> Result<[Ending; 2], EngineError> {
        let position = self.position(board)?;
        lock(&self.endings).of(&self.engine.ruleset, &position, &self.engine.control)
    }

    fn loopy(&self, board: &AnyBoard) -> Result<LoopySolution, EngineError> {
        let position = self.position(board)?;
        let mut search = self.engine.search(self.known);
        let mut rows = lock(&self.loopy);
        let value = rows.value(&mut search, &position)?;
        Ok(LoopySolution::of(&value, rows.calculator()))
    }

    fn endings_of_sum(
        &self,
        boards: &[&AnyBoard],
        heap: u8,
        memory: ByteSize,
    ) -> Result<[Ending; 2], EngineError> {
        let ruleset = &self.engine.ruleset;
        let positions = boards.iter().map(|board| self.position(board));
        let positions: Vec<R::Position> = positions.collect::<Result<_, _>>()?;
        if let Some(position) = positions.first()
            && ruleset.is_loopy()
        {
            return Err(EngineError::Cycle {
                position: position.to_string(),
                ruleset: ruleset.id(),
            });
        }
        let mut search = OutcomeSearch::new(ruleset, self.manner(), memory, self.control());
        search.outcome_of_sum(&positions, heap).map(Ending::of)
    }

    fn genus(&self, board: &AnyBoard) -> Result<Option<Arc<Genus>>, EngineError> {
        let position = self.position(board)?;
        let MisereEngines { genera, .. } = self.misere;
        let word = genera.search(&NothingKnown).evaluate(&position)?;
        Ok((word != LOOPY).then(|| genera.valuation.genus(word)))
    }

    fn misere_form(&self, board: &AnyBoard) -> Result<Option<String>, EngineError> {
        let MisereEngines { forms, .. } = self.misere;
        let position = self.position(board)?;
        let word = forms.search(&NothingKnown).evaluate(&position)?;
        let word = Some(word).filter(|word| *word != LOOPY);
        Ok(word.and_then(|word| forms.valuation.text(word, VALUE_CHARS_MAX)))
    }

    fn swept_pots(&self, board: &AnyBoard) -> Option<Vec<u8>> {
        let swept = self.engine.ruleset.swept()?;
        let position = self.position(board).ok()?;
        swept.pots(&position).map(<[u8]>::to_vec)
    }

    fn is_known(&self, board: &AnyBoard) -> Result<bool, EngineError> {
        let (key, _) = self.engine.ruleset.key(&self.position(board)?)?;
        Ok(self.engine.memo.get(key).is_some() || self.known.known(key)?.is_some())
    }

    fn enter(&self, board: &AnyBoard, value: Word) -> Result<(), EngineError> {
        let (key, negated) = self.engine.ruleset.key(&self.position(board)?)?;
        let value = if negated { V::negative(value) } else { value };
        self.engine.memo.insert(key, value);
        Ok(())
    }

    fn reachable_rows(
        &self,
        pots: usize,
        seeds: usize,
        bytes_max: u64,
        goes_on: &GoesOn,
    ) -> Result<Option<ReachableRows>, Stopped> {
        let cells_max = bytes_max / size_of::<V::Content>() as u64;
        let ruleset = &self.engine.ruleset;
        ruleset.reachable_rows(pots, seeds, cells_max, goes_on)
    }

    fn sweep(
        &self,
        order: &AnyOrder,
        (name, family): (&str, &str),
        room: Room<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Box<dyn SweptWords>, RunError> {
        let Engine {
            ruleset,
            valuation,
            control,
            ..
        } = self.engine;
        let sweeping = Sweeping {
            name,
            family,
            namespace: &namespace(ruleset, valuation),
            control,
            room,
            pool,
        };
        sweeping.values(order, valuation)
    }
}

impl<R: PotGame, V: Stored> BoardSearch for Search<'_, R, V> {
    fn value(
        &mut self,
        board: &AnyBoard,
        swept: Option<&Swept>,
        positions_max: u64,
    ) -> Result<Option<Word>, RunError> {
        let ruleset = &self.engine().ruleset;
        let position = ruleset.position_on(board).map_err(EngineError::from)?;
        let of_sweep = swept.and_then(|swept| swept.value(ruleset.swept()?.pots(&position)?));
        match of_sweep {
            Some(word) => Ok(Some(word)),
            None => self
                .evaluate_within(&position, positions_max)
                .map_err(|error| no_value(board, error)),
        }
    }
}

/// Returns why a position has no value.
pub(super) fn no_value(board: &AnyBoard, error: EngineError) -> RunError {
    match error {
        EngineError::Position(source) => RunError::Follower {
            position: brief(board),
            source,
        },
        error => error.into(),
    }
}
