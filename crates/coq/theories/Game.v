(** Nim on set systems: what is proved about it, and nothing else.

    This file is what a sceptic reads: games, moves, who wins, and the names of games. Every theorem
    that is checked from a certificate is stated in these words. *)

From Coq Require Import String Ascii NArith Arith List.
Import ListNotations.

(** A set of stacks is a number: stack [i] belongs to it if its binary digit [i] is 1. *)
Definition has (s : N) (i : nat) : bool := N.testbit_nat s i.
Definition set (l : list nat) : N := fold_right (fun i s => N.setbit s (N.of_nat i)) 0%N l.

(** A position is the list of the heights of the stacks. *)
Definition position := list nat.
Definition height (x : position) (i : nat) : nat := nth i x 0.

(** How much a move takes from the stacks of a set: any amounts; at least one token from each; exactly
    one token from each. *)
Inductive amount := Any | Each | One.

(** A game: the number of its stacks, the sets that may be played, each with the amounts, and whether
    the last player to move loses. *)
Record game := Game { stacks : nat; plays : list (amount * N); misere : bool }.

Definition valid (g : game) (x : position) : Prop := length x = stacks g.

Definition takes (a : amount) (s : N) (x y : position) : Prop :=
  forall i, if has s i
    then match a with
         | Any => height y i <= height x i
         | Each => height y i < height x i
         | One => height x i = S (height y i)
         end
    else height y i = height x i.

Definition move (g : game) (x y : position) : Prop :=
  length y = length x /\ y <> x /\ exists a s, In (a, s) (plays g) /\ takes a s x y.

(** Who wins: the player to move, if some move leads to a position where the next player loses; he loses,
    if all moves lead to positions where the next player wins. Under misere play he wins where
    no move is left. *)
Inductive wins (g : game) : position -> Prop :=
  | wins_by x y : move g x y -> loses g y -> wins g x
  | wins_at_end x : misere g = true -> (forall y, ~ move g x y) -> wins g x
with loses (g : game) : position -> Prop :=
  | loses_always x : (misere g = true -> exists y, move g x y) ->
      (forall y, move g x y -> wins g y) -> loses g x.

(** A P-position: the player to move loses. *)
Definition P (g : game) (x : position) : Prop := valid g x /\ loses g x.

(** * The names of games *)

(** Any stacks of one of these sets, any amounts: Set Nim. *)
Definition SetNim (n : nat) (facets : list N) : game := Game n (map (pair Any) facets) false.

(** Circular, path and necklace Nim: [k] neighbours; a necklace is a path whose ends are joined. *)
Definition CN (n k : nat) : game :=
  SetNim n (map (fun i => set (map (fun j => (i + j) mod n) (seq 0 k))) (seq 0 n)).
Definition paths (n k : nat) : list N := map (fun i => set (seq i k)) (seq 0 (n + 1 - k)).
Definition PN (n k : nat) : game := SetNim n (paths n k).
Definition NN (n k : nat) : game := SetNim n (paths n k ++ [set [0; n - 1]]).
Definition Nim (n : nat) : game := PN n 1.
Definition H : game := NN 6 3.

(** All sets of [k] of the stacks [i], ..., [n]-1. *)
Fixpoint choose (k : nat) (stacks : list nat) : list (list nat) :=
  match k, stacks with
  | 0, _ => [[]]
  | S _, [] => []
  | S k', i :: rest => map (cons i) (choose k' rest) ++ choose k rest
  end.
Definition Moore (n k : nat) : game := SetNim n (map set (choose k (seq 0 n))).
Definition Exact (n k : nat) : game :=
  Game n (map (fun s => (Each, set s)) (choose k (seq 0 n))) false.
Definition Slow (n : nat) (sizes : list nat) : game :=
  Game n (flat_map (fun k => map (fun s => (One, set s)) (choose k (seq 0 n))) sizes) false.
Definition Misere (g : game) : game := Game (stacks g) (plays g) true.
Definition Sum (g h : game) : game :=
  Game (stacks g + stacks h)
    (plays g ++ map (fun p => (fst p, N.shiftl (snd p) (N.of_nat (stacks g)))) (plays h)) false.

(** Sets as they are written: the stacks are called a, b, c, ... *)
Fixpoint letters (s : string) : N :=
  match s with
  | EmptyString => 0%N
  | String c rest => N.setbit (letters rest) (N_of_ascii c - 97)
  end.
Definition Set_ (n : nat) (facets : list string) : game := SetNim n (map letters facets).

(** * Sets of positions *)

(** How often the 0/1 vectors of the list hit stack [i], if they are taken so many times. *)
Fixpoint total (vectors : list N) (times : list nat) (i : nat) : nat :=
  match vectors, times with
  | v :: vectors', t :: times' => (if has v i then t else 0) + total vectors' times' i
  | _, _ => 0
  end.

(** All sums of these 0/1 vectors, and the union of several such sets, which are called cells. *)
Definition span (vectors : list N) (x : position) : Prop :=
  exists times, forall i, height x i = total vectors times i.
Definition cells (spans : list (list N)) (x : position) : Prop :=
  exists vectors, In vectors spans /\ span vectors x.

(** Relabellings of the stacks, by stack its image; what they make of sets; all images of cells. *)
Definition image (s : list nat) (v : N) : N :=
  set (map (fun i => nth i s 0) (filter (has v) (seq 0 (length s)))).
Definition sym (relabellings : list (list nat)) (spans : list (list N)) : list (list N) :=
  flat_map (fun s => map (map (image s)) spans) relabellings.
Definition dihedral (n : nat) : list (list nat) :=
  map (fun r => map (fun i => (i + r) mod n) (seq 0 n)) (seq 0 n) ++
  map (fun r => map (fun i => (r + n - i) mod n) (seq 0 n)) (seq 0 n).
Definition same (n : nat) : list (list nat) := [seq 0 n].

(** * Automata

    An automaton reads the binary digits of all heights in parallel, the most significant first. A
    letter is the set of stacks whose digit is 1. States are counted from 0. *)
Record automaton := Automaton { initial : N; accepting : list bool; rows : list (list N) }.

Definition next (d : automaton) (q letter : N) : N :=
  nth (N.to_nat letter) (nth (N.to_nat q) (rows d) []) 0%N.

(** The state after the last [digits] digits of each height. *)
Fixpoint reads (d : automaton) (digits : nat) (x : position) : N :=
  match digits with
  | 0 => initial d
  | S rest => next d (reads d rest (map Nat.div2 x))
      (set (filter (fun i => Nat.odd (height x i)) (seq 0 (length x))))
  end.

Definition accepted (d : automaton) (x : position) : Prop :=
  exists digits, (forall i, height x i < 2 ^ digits) /\
    nth (N.to_nat (reads d digits x)) (accepting d) false = true.
