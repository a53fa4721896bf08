(** Moves, digit by digit: what the checker of automata looks at, and why it is enough.

    Let a move lead from [x] to [y], and let [L] be the set of stacks that it lowers. Halving all heights
    gives [x'], [y'] with a set [L'] within [L]: a stack of [L] that is not in [L'] has last digit 1 in
    [x] and 0 in [y]; outside of [L] the last digits are equal; in [L'] they are arbitrary, or 0 and 1 if
    exactly one token is taken. So moves are followed digit by digit. *)

From Coq Require Import Bool NArith PArith Pnat Arith Lia List FMapPositive.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets.
Import ListNotations.
Open Scope nat_scope.

Definition heights := nat -> nat.
Definition half (x : heights) : heights := fun i => Nat.div2 (x i).

(** * Certificates *)

(** A relabelling of the stacks, what it makes of the states, and the way back. *)
Record symmetry := Symmetry { on_stacks : list nat; on_states : list N; back : list N }.

(** A set of (state, lowered stacks), and by letter: the number of a macrostate and of a symmetry. Under
    misere play perhaps also the set of stacks that are not empty: no move may be left. *)
Record macrostate := Macro { pairs : list (N * N); leads : list (N * N); ended : option N }.
Definition Macrostate p l : macrostate := Macro p l None.
Definition Ending t p l : macrostate := Macro p l (Some t).

(** * The checker *)

Definition trie {A} (l : list A) : PositiveMap.t A := table l.
Definition get {A} (default : A) (t : PositiveMap.t A) (k : N) : A :=
  match PositiveMap.find (N.succ_pos k) t with Some a => a | None => default end.

Definition index_by {A B} (f : A -> B) (l : list (N * A)) : PositiveMap.t B :=
  fold_right (fun p m => PositiveMap.add (N.succ_pos (fst p)) (f (snd p)) m) (PositiveMap.empty B) l.

Section Check.
  Variable n : nat.
  Variable game_plays : list (amount * N).
  Variable single : N.
  Variable final_t : N -> bool.
  Variable steps_t : N -> list (N * N).
  Variable within_t : N -> bool.

  Definition allowed (L : N) : bool :=
    if N.eqb L 0 then false
    else some (fun p : amount * N => match fst p with Any => subset L (snd p) | _ => N.eqb L (snd p) end) game_plays.

  (** No move is left if exactly these stacks are not empty. *)
  Definition stuck (t : N) : bool :=
    every (fun p : amount * N => match fst p with
      | Any => N.eqb (N.land (snd p) t) 0
      | _ => N.eqb (snd p) 0 || negb (subset (snd p) t)
      end) game_plays.

  (** The stacks lowered after a letter [a] of [x] and [b] of [y], where [up] is [b] without [a]. *)
  Definition can (L up : N) : bool :=
    if subset up L then subset (N.land L single) up else false.

  Definition check_group (seen : N -> N -> N -> bool) (q r : N) (Ls : list N) : bool :=
    every (fun L => if final_t q then if final_t r then negb (allowed L) else true else true) Ls &&
    every (fun s : N * N => let (a, q') := s in
      every (fun t : N * N => let (b, r') := t in
        let up := N.ldiff b a in
        let down := N.ldiff a b in
        every (fun L => if can L up
          then let L' := N.lor L down in
            if within_t L' then seen q' r' L' else true
          else true) Ls) (steps_t r)) (steps_t q).

  Definition reached (M : list (N * N)) (a : N) : list (N * N) :=
    flat_map (fun p : N * N => let (r, L) := p in
      flat_map (fun t : N * N => let (b, r') := t in
        if can L (N.ldiff b a)
        then let L' := N.lor L (N.ldiff a b) in if within_t L' then [(r', L')] else []
        else []) (steps_t r)) M.

  Fixpoint collect (l : list (N * N)) : PositiveMap.t (list N) :=
    match l with
    | [] => PositiveMap.empty _
    | (r, L) :: l' => let m := collect l' in
        let k := N.succ_pos r in
        PositiveMap.add k (L :: match PositiveMap.find k m with Some o => o | None => [] end) m
    end.

  Variable mis : bool.
  Variable macro : N -> list (N * N).
  Variable macro_ended : N -> option N.
  Variable image_t : N -> N -> N.
  Variable states_t : N -> N -> N.

  Definition check_macro (states : N) (syms : N) (count : N) (m : macrostate) : bool :=
    every (fun p => N.ltb (fst p) states && fits n (snd p)) (pairs m) &&
    (some (fun p => if final_t (fst p) then
      if N.eqb (snd p) 0 then true else allowed (snd p) else false) (pairs m) ||
      match ended m with Some t => stuck t | None => false end) &&
    match ended m with Some t => mis && fits n t | None => true end &&
    (length (leads m) =? 2 ^ n) &&
    every (fun al : N * (N * N) => let '(a, (k, h)) := al in
      if N.ltb k count then if N.ltb h syms then
        let succ := collect (reached (pairs m) a) in
        every (fun p => match PositiveMap.find (N.succ_pos (states_t h (fst p))) succ with
          | Some Ls => some (N.eqb (image_t h (snd p))) Ls
          | None => false
          end) (macro k) &&
        match macro_ended k, ended m with
        | None, _ => true
        | Some u, Some t => N.eqb (image_t h u) (N.lor t a)
        | Some _, None => false
        end
      else false else false)
      (combine (map N.of_nat (seq 0 (2 ^ n))) (leads m)).
End Check.

Definition numbers (k : nat) : list N := map N.of_nat (seq 0 k).

(** * Why it is right *)

Lemma succ_pos_inj : forall a b, N.succ_pos a = N.succ_pos b -> a = b.
Proof. intros a b e. apply (f_equal Npos) in e. rewrite !N.succ_pos_spec in e. lia. Qed.

Lemma find_table_from : forall A (l : list A) j k,
  PositiveMap.find (Pos.of_nat (S (j + k))) (table_from (Pos.of_nat (S j)) l) = nth_error l k.
Proof.
  induction l as [|a l IH]; intros j k; cbn [table_from].
  - rewrite PositiveMap.gempty. now destruct k.
  - destruct k as [|k].
    + rewrite Nat.add_0_r, PositiveMap.gss. reflexivity.
    + rewrite PositiveMap.gso.
      2: { intro e. apply Nat2Pos.inj in e; lia. }
      replace (Pos.succ (Pos.of_nat (S j))) with (Pos.of_nat (S (S j)))
        by (apply Nat2Pos.inj_succ; lia).
      rewrite Nat.add_succ_r. simpl nth_error. rewrite <- (IH (S j) k). f_equal.
Qed.

Lemma get_trie : forall A (d : A) l k, get d (trie l) k = nth (N.to_nat k) l d.
Proof.
  intros A d l k. unfold get, trie, table.
  replace (N.succ_pos k) with (Pos.of_nat (S (0 + N.to_nat k))).
  2: { apply Pos2Nat.inj. rewrite Nat2Pos.id by lia. pose proof (N.succ_pos_spec k). lia. }
  change 1%positive with (Pos.of_nat (S 0)). rewrite find_table_from.
  revert l. induction (N.to_nat k) as [|m IH]; intros [|a l]; simpl; trivial.
Qed.

Lemma get_index_by : forall A B (f : A -> B) l k (d b : B),
  get d (index_by f l) k = b -> b = d \/ exists a, In (k, a) l /\ f a = b.
Proof.
  intros A B f l k d b. unfold get, index_by. induction l as [|[j a] l IH]; simpl.
  - rewrite PositiveMap.gempty. auto.
  - destruct (N.eq_dec k j) as [->|ne].
    + rewrite PositiveMap.gss. intros <-. right. exists a. auto.
    + rewrite PositiveMap.gso by (intro e; now apply succ_pos_inj in e).
      intro e. destruct (IH e) as [|(a' & m & e')]; eauto.
Qed.

Lemma in_numbers : forall k a, In a (numbers k) <-> N.to_nat a < k.
Proof.
  intros k a. unfold numbers. rewrite in_map_iff. split.
  - intros (i & <- & m). apply in_seq in m. rewrite Nat2N.id. lia.
  - intro l. exists (N.to_nat a). rewrite N2Nat.id, in_seq. split; [trivial|lia].
Qed.

Lemma nth_numbers : forall k i d, i < k -> nth i (numbers k) d = N.of_nat i.
Proof.
  intros k i d l. unfold numbers. rewrite nth_indep with (d' := N.of_nat 0)
    by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth; trivial.
Qed.

Section Sound.
  Variable n : nat.
  Variable game_plays : list (amount * N).
  Variable d : automaton.

  Definition low (x : heights) : N := set (filter (fun i => Nat.odd (x i)) (seq 0 n)).
  Definition small (m : nat) (x : heights) : Prop :=
    (forall i, x i < 2 ^ m) /\ forall i, n <= i -> x i = 0.

  Fixpoint run (m : nat) (x : heights) : N :=
    match m with
    | 0 => initial d
    | S m' => next d (run m' (half x)) (low x)
    end.

  Lemma has_low : forall x i, has (low x) i = (i <? n) && Nat.odd (x i).
  Proof.
    intros. apply eq_true_iff_eq. unfold low. rewrite has_set, filter_In, in_seq, andb_true_iff, Nat.ltb_lt.
    intuition lia.
  Qed.

  Lemma has_low_small : forall m x i, small m x -> has (low x) i = Nat.odd (x i).
  Proof.
    intros m x i [_ o]. rewrite has_low. destruct (Nat.ltb_spec i n); trivial. now rewrite o.
  Qed.

  Lemma low_ext : forall x y, (forall i, x i = y i) -> low x = low y.
  Proof. intros x y e. apply has_ext. intro i. now rewrite !has_low, e. Qed.

  Lemma run_ext : forall m x y, (forall i, x i = y i) -> run m x = run m y.
  Proof.
    induction m as [|m IH]; intros x y e; simpl; trivial.
    rewrite (low_ext x y e). f_equal. apply IH. intro i. unfold half. now rewrite e.
  Qed.

  Lemma div2_odd : forall k, k = 2 * Nat.div2 k + if Nat.odd k then 1 else 0.
  Proof. intro k. pose proof (Nat.div2_odd k) as e. unfold Nat.b2n in e. exact e. Qed.

  Lemma small_half : forall m x, small (S m) x -> small m (half x).
  Proof.
    intros m x [s o]. split; intro i; unfold half.
    - specialize (s i). pose proof (div2_odd (x i)). simpl in s. lia.
    - intro l. now rewrite o.
  Qed.

  Lemma small_more : forall m x, small m x -> small (S m) x.
  Proof. intros m x [s o]. split; trivial. intro i. specialize (s i). simpl. lia. Qed.

  Variable single : N.
  Variable final : N -> bool.
  Hypothesis zeros : next d (initial d) 0 = initial d.

  (** The stacks that are not empty. *)
  Definition support (x : heights) : N := set (filter (fun i => 0 <? x i) (seq 0 n)).

  Lemma has_support : forall x i, has (support x) i = (i <? n) && (0 <? x i).
  Proof using n.
    intros. apply eq_true_iff_eq. unfold support.
    rewrite has_set, filter_In, in_seq, andb_true_iff, !Nat.ltb_lt. clear. intuition lia.
  Qed.

  Lemma fits_support : forall x, fits n (support x) = true.
  Proof.
    intro x. apply has_fits. intros i h. rewrite has_support in h. apply andb_prop in h.
    now apply Nat.ltb_lt.
  Qed.

  Lemma support_half : forall x, support x = N.lor (support (half x)) (low x).
  Proof.
    intro x. apply has_ext. intro i. rewrite has_lor, !has_support, has_low. unfold half.
    pose proof (div2_odd (x i)) as e. destruct (i <? n); trivial. simpl.
    destruct (Nat.odd (x i)), (Nat.ltb_spec 0 (x i)), (Nat.ltb_spec 0 (Nat.div2 (x i)));
      trivial; exfalso; lia.
  Qed.

  Lemma support_zero : forall x, small 0 x -> support x = 0%N.
  Proof.
    intros x [s _]. apply has_ext. intro i. rewrite has_support, has_0. specialize (s i).
    simpl in s. replace (x i) with 0 by lia. now rewrite andb_false_r.
  Qed.

  Lemma support_ext : forall x y, (forall i, x i = y i) -> support x = support y.
  Proof. intros x y e. apply has_ext. intro i. now rewrite !has_support, e. Qed.

  Lemma small_ext : forall m x y, (forall i, x i = y i) -> small m x -> small m y.
  Proof. intros m x y e [s o]. split; intro i; rewrite <- e; auto. Qed.

  Lemma run_more : forall m x, small m x -> run (S m) x = run m x.
  Proof.
    induction m as [|m IH]; intros x s.
    - simpl. replace (low x) with 0%N; trivial. apply has_ext. intro i.
      rewrite has_0, (has_low_small 0 x i s). destruct s as [s _]. specialize (s i). simpl in s.
      replace (x i) with 0 by lia. reflexivity.
    - change (next d (run (S m) (half x)) (low x) = next d (run m (half x)) (low x)).
      f_equal. apply IH. now apply small_half.
  Qed.

  Lemma run_enough : forall m k x, small m x -> run (k + m) x = run m x.
  Proof.
    induction k as [|k IH]; intros x s; trivial.
    assert (sk : forall j, small (j + m) x) by (induction j; [trivial|now apply small_more]).
    change (run (S (k + m)) x = run m x). rewrite run_more; [now apply IH|apply sk].
  Qed.

  (** A move from [x] to [y] lowers the stacks of [L]. *)
  Definition rel (x y : heights) (L : N) : Prop := forall i,
    if has L i then y i < x i /\ (has single i = true -> x i = S (y i)) else y i = x i.

  Lemma rel_half : forall m x y L, small (S m) x -> small (S m) y -> rel x y L ->
    exists L', rel (half x) (half y) L' /\ can single L' (N.ldiff (low y) (low x)) = true /\
      L = N.lor L' (N.ldiff (low x) (low y)) /\ (forall i, has L' i = true -> has L i = true).
  Proof.
    intros m x y L sx sy r.
    exists (set (filter (fun i => half y i <? half x i) (seq 0 n))).
    set (L' := set (filter (fun i => half y i <? half x i) (seq 0 n))).
    assert (h : forall i, has L' i = (half y i <? half x i)).
    { intro i. apply eq_true_iff_eq. unfold L'. rewrite has_set, filter_In, in_seq.
      split; [tauto|]. intro e. split; trivial. apply Nat.ltb_lt in e.
      destruct (le_lt_dec n i) as [l|l]; [|lia]. destruct sx as [_ o]. unfold half in e.
      rewrite (o i l) in e. simpl in e. lia. }
    assert (key : forall i, let a := Nat.odd (x i) in let b := Nat.odd (y i) in
      (if has L' i then half y i < half x i /\
          (has single i = true -> half x i = S (half y i) /\ a = false /\ b = true)
        else half y i = half x i /\ (b = true -> a = true)) /\
      has L i = has L' i || (a && negb b)).
    { intro i. specialize (r i). rewrite (h i). unfold half.
      pose proof (div2_odd (x i)) as ex. pose proof (div2_odd (y i)) as ey.
      set (dx := Nat.div2 (x i)) in *. set (dy := Nat.div2 (y i)) in *. cbn zeta.
      destruct (Nat.odd (x i)), (Nat.odd (y i)), (Nat.ltb_spec dy dx), (has L i); simpl;
        destruct (has single i); intuition (try discriminate; try lia). }
    split; [|split; [|split]].
    - intro i. destruct (key i) as [k _]. destruct (has L' i); [|tauto].
      destruct k as [a b]. split; trivial. intro e. now apply b.
    - unfold can. assert (s1 : subset (N.ldiff (low y) (low x)) L' = true).
      { apply has_subset. intros i e. rewrite has_ldiff, (has_low_small _ _ _ sx), (has_low_small _ _ _ sy) in e.
        destruct (key i) as [k _]. destruct (has L' i); trivial. destruct k as [_ k].
        destruct (Nat.odd (y i)); [|discriminate]. rewrite k in e by trivial. discriminate. }
      rewrite s1. apply has_subset. intros i e. rewrite has_land in e. apply andb_prop in e.
      destruct e as [e1 e2]. destruct (key i) as [k _]. rewrite e1 in k. destruct k as [_ k].
      destruct (k e2) as (_ & a & b).
      now rewrite has_ldiff, (has_low_small _ _ _ sx), (has_low_small _ _ _ sy), a, b.
    - apply has_ext. intro i. destruct (key i) as [_ k].
      now rewrite has_lor, has_ldiff, (has_low_small _ _ _ sx), (has_low_small _ _ _ sy), k.
    - intros i e. destruct (key i) as [_ k]. now rewrite k, e.
  Qed.

  Definition double (y : heights) (b : N) : heights := fun i => 2 * y i + if has b i then 1 else 0.

  Lemma half_double : forall y b i, half (double y b) i = y i.
  Proof.
    intros. unfold half, double. destruct (has b i).
    - rewrite Nat.add_1_r, Nat.div2_succ_double. trivial.
    - rewrite Nat.add_0_r, Nat.div2_double. trivial.
  Qed.

  Lemma odd_double : forall y b i, Nat.odd (double y b i) = has b i.
  Proof.
    intros. unfold double. destruct (has b i).
    - rewrite Nat.add_1_r, Nat.odd_succ. rewrite Nat.even_spec. now exists (y i).
    - rewrite Nat.add_0_r, Nat.odd_mul. reflexivity.
  Qed.

  Lemma low_double : forall y b, fits n b = true -> low (double y b) = b.
  Proof.
    intros y b f. apply has_ext. intro i. rewrite has_low, odd_double.
    destruct (has b i) eqn:h; [|now rewrite andb_false_r].
    apply (fits_has n b f) in h. apply Nat.ltb_lt in h. now rewrite h.
  Qed.

  Lemma rel_double : forall m x y L b, small (S m) x -> rel (half x) y L ->
    can single L (N.ldiff b (low x)) = true ->
    rel x (double y b) (N.lor L (N.ldiff (low x) b)).
  Proof.
    intros m x y L b sx r c i. unfold can in c.
    destruct (subset (N.ldiff b (low x)) L) eqn:s1; [|discriminate].
    pose proof (subset_has _ _ s1 i) as p. pose proof (subset_has _ _ c i) as q.
    rewrite has_ldiff, (has_low_small _ _ _ sx) in p. rewrite has_land, has_ldiff, (has_low_small _ _ _ sx) in q.
    rewrite has_lor, has_ldiff, (has_low_small _ _ _ sx). specialize (r i). unfold half in r.
    pose proof (div2_odd (x i)) as ex. set (dx := Nat.div2 (x i)) in *. unfold double.
    destruct (has L i), (has b i), (Nat.odd (x i)), (has single i); simpl in *;
      intuition (try discriminate; try lia).
  Qed.

  Lemma small_double : forall m y b, small m y -> fits n b = true -> small (S m) (double y b).
  Proof.
    intros m y b [s o] f. split; intro i; unfold double.
    - specialize (s i). simpl. destruct (has b i); lia.
    - intro l. rewrite (o i l). destruct (has b i) eqn:h; trivial. apply (fits_has n b f) in h. lia.
  Qed.

  Lemma small_below : forall m x y L, small m x -> rel x y L -> small m y.
  Proof.
    intros m x y L [s o] r. split; intro i.
    - specialize (s i). specialize (r i). destruct (has L i); lia.
    - intro l. specialize (o i l). specialize (r i). destruct (has L i); lia.
  Qed.
  (** ** (I) *)
  Variable states : nat.
  Variable alive_q : N -> bool.
  Variable steps_t : N -> list (N * N).
  Variable within_t : N -> bool.
  Hypothesis init_range : N.to_nat (initial d) < states.
  Hypothesis next_range : forall q a, N.to_nat q < states -> fits n a = true -> N.to_nat (next d q a) < states.
  Hypothesis dead_final : forall q, N.to_nat q < states -> alive_q q = false -> final q = false.
  Hypothesis dead_next : forall q a, N.to_nat q < states -> fits n a = true -> alive_q q = false ->
    alive_q (next d q a) = false.
  Hypothesis steps_in : forall q a r, N.to_nat q < states ->
    (In (a, r) (steps_t q) <-> fits n a = true /\ r = next d q a /\ alive_q r = true).
  Hypothesis within_spec : forall L, fits n L = true ->
    (within_t L = true <-> exists p, In p game_plays /\ subset L (snd p) = true).

  Lemma fits_low : forall x, fits n (low x) = true.
  Proof.
    intro x. apply has_fits. intros i h. rewrite has_low in h. apply andb_prop in h.
    now apply Nat.ltb_lt.
  Qed.

  Lemma run_range : forall m x, N.to_nat (run m x) < states.
  Proof.
    induction m as [|m IH]; intro x; simpl; trivial. apply next_range; auto. apply fits_low.
  Qed.

  Lemma fits_lowered : forall m x y L, small m x -> rel x y L -> fits n L = true.
  Proof.
    intros m x y L [_ o] r. apply has_fits. intros i h. specialize (r i). rewrite h in r.
    destruct (le_lt_dec n i) as [l|l]; trivial. rewrite (o i l) in r. lia.
  Qed.

  Section Closed.
    Variable seen : N -> N -> N -> bool.
    Hypothesis seen_init : seen (initial d) (initial d) 0 = true.
    Hypothesis seen_group : forall q r L, seen q r L = true -> exists Ls, In L Ls /\
      check_group game_plays single final steps_t within_t seen q r Ls = true.

    Lemma seen_or_dead : forall m x y L, small m x -> small m y -> rel x y L ->
      (exists p, In p game_plays /\ subset L (snd p) = true) ->
      seen (run m x) (run m y) L = true \/ alive_q (run m x) = false \/ alive_q (run m y) = false.
    Proof.
      induction m as [|m IH]; intros x y L sx sy r w.
      - left. simpl. replace L with 0%N; trivial. apply has_ext. intro i. rewrite has_0.
        specialize (r i). destruct (has L i); trivial. destruct sx as [s _]. specialize (s i). simpl in s. lia.
      - destruct (rel_half m x y L sx sy r) as (L' & r' & c & e & sub).
        assert (w' : exists p, In p game_plays /\ subset L' (snd p) = true).
        { destruct w as (p & mp & sp). exists p. split; trivial. apply has_subset. intros i h.
          apply (subset_has _ _ sp). now apply sub. }
        pose proof (small_half m x sx) as hx. pose proof (small_half m y sy) as hy.
        pose proof (run_range m (half x)) as rx. pose proof (run_range m (half y)) as ry.
        simpl run. set (q := run m (half x)) in *. set (p := run m (half y)) in *.
        destruct (alive_q (next d q (low x))) eqn:ax; [|now right; left].
        destruct (alive_q (next d p (low y))) eqn:ay; [|now right; right]. left.
        destruct (IH _ _ L' hx hy r' w') as [s|[s|s]].
        2: { fold q in s. rewrite (dead_next q (low x)) in ax; trivial; [discriminate|apply fits_low]. }
        2: { fold p in s. rewrite (dead_next p (low y)) in ay; trivial; [discriminate|apply fits_low]. }
        fold q p in s. destruct (seen_group _ _ _ s) as (Ls & mL & cg). unfold check_group in cg.
        apply andb_prop in cg. destruct cg as [_ cg]. rewrite every_forall in cg.
        specialize (cg (low x, next d q (low x))). cbn beta iota in cg.
        assert (m1 : In (low x, next d q (low x)) (steps_t q)).
        { apply steps_in; trivial. repeat split; trivial. apply fits_low. }
        specialize (cg m1). rewrite every_forall in cg. specialize (cg (low y, next d p (low y))).
        cbn beta iota in cg.
        assert (m2 : In (low y, next d p (low y)) (steps_t p)).
        { apply steps_in; trivial. repeat split; trivial. apply fits_low. }
        specialize (cg m2). cbv zeta in cg. rewrite every_forall in cg. specialize (cg L' mL).
        rewrite c, <- e in cg. destruct (within_t L) eqn:wt; [exact cg|].
        exfalso. apply within_spec in w; [congruence|]. eapply fits_lowered; [apply sx|apply r].
    Qed.

    Lemma no_move_inside : forall m x y L, small m x -> small m y -> rel x y L ->
      allowed game_plays L = true -> final (run m x) = true -> final (run m y) = true -> False.
    Proof.
      intros m x y L sx sy r al fx fy.
      assert (w : exists p, In p game_plays /\ subset L (snd p) = true).
      { unfold allowed in al. destruct (N.eqb L 0); [discriminate|]. apply some_exists in al.
        destruct al as ([a s] & mp & e). exists (a, s). split; trivial. simpl in *.
        destruct a; trivial; apply N.eqb_eq in e; subst; apply has_subset; auto. }
      destruct (seen_or_dead m x y L sx sy r w) as [s|[s|s]].
      - destruct (seen_group _ _ _ s) as (Ls & mL & cg). unfold check_group in cg.
        apply andb_prop in cg. destruct cg as [cg _]. rewrite every_forall in cg.
        specialize (cg L mL). rewrite fx, fy, al in cg. discriminate.
      - rewrite (dead_final _ (run_range m x) s) in fx. discriminate.
      - rewrite (dead_final _ (run_range m y) s) in fy. discriminate.
    Qed.
  End Closed.

  (** ** Symmetries *)
  Definition pull (s : list nat) (x : heights) : heights :=
    fun i => if i <? n then x (nth i s 0) else 0.
  Definition push (s : list nat) (x : heights) : heights :=
    fun k => if k <? n then x (index k s) else 0.

  Record proper (s : list nat) (st bt : N -> N) : Prop := {
    pr_rel : relabelling n s = true;
    pr_single : image s single = single;
    pr_plays : forall a v, In (a, v) game_plays -> In (a, image s v) game_plays;
    pr_onto : forall a v, In (a, v) game_plays ->
      exists w, In (a, w) game_plays /\ fits n w = true /\ v = image s w;
    pr_init : st (initial d) = initial d;
    pr_back : forall q, N.to_nat q < states -> bt (st q) = q;
    pr_final : forall q, N.to_nat q < states -> final (st q) = final q;
    pr_next : forall q a, N.to_nat q < states -> fits n a = true ->
      next d (st q) (image s a) = st (next d q a)
  }.

  Section Proper.
    Variables (s : list nat) (st bt : N -> N).
    Hypothesis pr : proper s st bt.
    Let ok := pr_rel s st bt pr.

    Lemma small_pull : forall m x, small m x -> small m (pull s x).
    Proof.
      intros m x [l o]. split; intro i; unfold pull; destruct (Nat.ltb_spec i n); trivial; try lia.
      specialize (l 0). lia.
    Qed.

    Lemma small_push : forall m x, small m x -> small m (push s x).
    Proof.
      intros m x [l o]. split; intro i; unfold push; destruct (Nat.ltb_spec i n); trivial; try lia.
      specialize (l 0). lia.
    Qed.

    Lemma low_pull : forall x, image s (low (pull s x)) = low x.
    Proof.
      intro x. apply has_ext. intro k. rewrite (has_image n s ok), !has_low. unfold pull.
      destruct (Nat.ltb_spec k n) as [l|l]; trivial. destruct (relabel_back n s ok k l) as [a e].
      apply Nat.ltb_lt in a. now rewrite a, e.
    Qed.

    Lemma run_pull : forall m x, run m x = st (run m (pull s x)).
    Proof.
      induction m as [|m IH]; intro x; simpl; [symmetry; apply (pr_init s st bt pr)|].
      rewrite <- (low_pull x) at 1. rewrite (IH (half x)).
      rewrite (pr_next s st bt pr); [|apply run_range|apply fits_low]. do 2 f_equal.
      apply run_ext. intro i. unfold half, pull. now destruct (i <? n).
    Qed.

    Lemma pull_push : forall x i, (forall i, n <= i -> x i = 0) -> pull s (push s x) i = x i.
    Proof.
      intros x i o. unfold pull, push. destruct (Nat.ltb_spec i n) as [l|l]; [|now rewrite o].
      destruct (relabel_there n s ok i l) as [a e]. apply Nat.ltb_lt in a. now rewrite a, e.
    Qed.

    Lemma rel_pull : forall x y L, fits n L = true -> rel x y (image s L) -> rel (pull s x) (pull s y) L.
    Proof.
      intros x y L f r i. unfold pull. destruct (Nat.ltb_spec i n) as [l|l].
      - specialize (r (nth i s 0)). rewrite (has_image_nth n s ok) in r by trivial.
        destruct (has L i); trivial. destruct r as [a b]. split; trivial. intro h. apply b.
        rewrite <- (pr_single s st bt pr). now rewrite (has_image_nth n s ok).
      - destruct (has L i) eqn:h; trivial. apply (fits_has n L f) in h. lia.
    Qed.

    Lemma rel_push : forall m x y L, small m x -> rel (pull s x) y L -> rel x (push s y) (image s L).
    Proof.
      intros m x y L [_ o] r k. rewrite (has_image n s ok). unfold push.
      destruct (Nat.ltb_spec k n) as [l|l]; simpl.
      - destruct (relabel_back n s ok k l) as [a e]. specialize (r (index k s)). unfold pull in r.
        apply Nat.ltb_lt in a. rewrite a, e in r. destruct (has L (index k s)); trivial.
        destruct r as [b c]. split; trivial. intro h. apply c.
        rewrite <- (pr_single s st bt pr), (has_image n s ok) in h. apply andb_prop in h. apply h.
      - now rewrite o.
    Qed.

    Lemma allowed_image : forall L, fits n L = true -> allowed game_plays L = true ->
      allowed game_plays (image s L) = true.
    Proof.
      intros L f al. unfold allowed in *. destruct (N.eqb L 0) eqn:z; [discriminate|].
      apply N.eqb_neq in z. destruct (N.eqb (image s L) 0) eqn:z'.
      - exfalso. apply z. apply N.eqb_eq in z'. apply has_ext. intro i. rewrite has_0.
        destruct (has L i) eqn:h; trivial. pose proof (fits_has n L f i h) as l.
        rewrite <- (has_image_nth n s ok L i l), z', has_0 in h. discriminate.
      - apply some_exists in al. destruct al as ([a v] & mp & e). apply some_exists.
        exists (a, image s v). split; [now apply (pr_plays s st bt pr)|]. simpl in *.
        destruct a; [|apply N.eqb_eq in e; subst; apply N.eqb_refl..].
        apply has_subset. intros k h. rewrite (has_image n s ok) in *. apply andb_prop in h.
        destruct h as [l h]. rewrite l. simpl. now apply (subset_has _ _ e).
    Qed.
    Lemma support_pull : forall x, image s (support (pull s x)) = support x.
    Proof.
      intro x. apply has_ext. intro k. rewrite (has_image n s ok), !has_support. unfold pull.
      destruct (Nat.ltb_spec k n) as [l|l]; trivial. destruct (relabel_back n s ok k l) as [a e].
      apply Nat.ltb_lt in a. now rewrite a, e.
    Qed.

    Lemma stuck_image : forall t, stuck game_plays t = true -> stuck game_plays (image s t) = true.
    Proof.
      intros t st'. unfold stuck in *. rewrite every_forall in *. intros [a v] m.
      destruct (pr_onto s st bt pr a v m) as (w & mw & fw & ->). specialize (st' _ mw). simpl in *.
      assert (each : N.eqb w 0 || negb (subset w t) = true ->
        N.eqb (image s w) 0 || negb (subset (image s w) (image s t)) = true).
      { intro e. apply orb_true_iff in e. apply orb_true_iff. destruct e as [e|e].
        - left. apply N.eqb_eq in e. subst w. apply N.eqb_eq, has_ext. intro k.
          now rewrite (has_image n s ok), !has_0, andb_false_r.
        - right. apply negb_true_iff in e. apply negb_true_iff. apply not_true_iff_false.
          apply not_true_iff_false in e. intro c. apply e. apply has_subset. intros i h.
          pose proof (fits_has n w fw i h) as l. rewrite <- (has_image_nth n s ok) in h by trivial.
          apply (subset_has _ _ c) in h. now rewrite (has_image_nth n s ok) in h. }
      destruct a; auto. apply N.eqb_eq in st'. apply N.eqb_eq, has_ext. intro k.
      rewrite has_land, !(has_image n s ok), has_0.
      assert (z : has (N.land w t) (index k s) = false) by (rewrite st'; apply has_0).
      rewrite has_land in z. destruct (k <? n); trivial.
    Qed.
  End Proper.

  (** ** Misere play: no position without moves is accepted *)
  Lemma never_stuck : forall seen : N -> N -> bool, seen (initial d) 0%N = true ->
    (forall q t, seen q t = true -> (final q = true -> stuck game_plays t = false) /\
      forall a, fits n a = true -> seen (next d q a) (N.lor t a) = true) ->
    forall m x, small m x -> final (run m x) = true -> stuck game_plays (support x) = false.
  Proof.
    intros seen si sc.
    assert (w : forall m x, small m x -> seen (run m x) (support x) = true).
    { induction m as [|m IH]; intros x sm.
      - now rewrite (support_zero x sm).
      - rewrite support_half. simpl. apply sc; [|apply fits_low]. apply IH. now apply small_half. }
    intros m x sm f. exact (proj1 (sc _ _ (w m x sm)) f).
  Qed.

  (** ** (II) *)
  Variable mis : bool.

  Definition answered (m : nat) (x : heights) : Prop :=
    final (run m x) = true \/
    (exists y L, rel x y L /\ allowed game_plays L = true /\ final (run m y) = true) \/
    (mis = true /\ stuck game_plays (support x) = true).

  Lemma answered_pull : forall s st bt m x, proper s st bt -> small m x ->
    answered m (pull s x) -> answered m x.
  Proof.
    intros s st bt m x pr sm [f|[(y & L & r & al & f)|[mi sk]]].
    - left. rewrite (run_pull s st bt pr), (pr_final s st bt pr); trivial. apply run_range.
    - right. left. pose proof (small_pull s m x sm) as sp.
      exists (push s y), (image s L). split; [|split].
      + eapply rel_push; eauto.
      + eapply allowed_image; eauto. eapply fits_lowered; eauto.
      + rewrite (run_pull s st bt pr), (pr_final s st bt pr) by apply run_range.
        rewrite (run_ext m _ y); trivial. intro i. eapply pull_push; eauto.
        eapply small_below; eauto.
    - right. right. split; trivial. rewrite <- (support_pull s st bt pr x).
      now apply (stuck_image s st bt pr).
  Qed.

  Definition reach (M : list (N * N)) (m : nat) (x : heights) : Prop :=
    forall r L, In (r, L) M -> exists y, rel x y L /\ run m y = r.

  Lemma reach_ext : forall M m x y, (forall i, x i = y i) -> reach M m x -> reach M m y.
  Proof.
    intros M m x y e r q L i. destruct (r q L i) as (z & rz & ez). exists z. split; trivial.
    intro k. specialize (rz k). now rewrite e in rz.
  Qed.

  Lemma reached_sound : forall M m x, small (S m) x -> reach M m (half x) ->
    (forall q L, In (q, L) M -> N.to_nat q < states) ->
    reach (reached single steps_t within_t M (low x)) (S m) x.
  Proof.
    intros M m x sx re rng r L i. unfold reached in i. apply in_flat_map in i.
    destruct i as ([q K] & mq & i). apply in_flat_map in i. destruct i as ([b p] & mb & i).
    destruct (can single K (N.ldiff b (low x))) eqn:c; [|contradiction]. cbv zeta in i.
    destruct (within_t (N.lor K (N.ldiff (low x) b))); [|contradiction].
    destruct i as [e|[]]. injection e as <- <-.
    apply (steps_in q b p (rng q K mq)) in mb. destruct mb as (fb & -> & _).
    destruct (re q K mq) as (y & ry & ey). exists (double y b). split.
    - eapply rel_double; eauto.
    - simpl. rewrite low_double by trivial. rewrite (run_ext m _ y) by apply half_double. now rewrite ey.
  Qed.

  Lemma collect_sound : forall l r Ls L, PositiveMap.find (N.succ_pos r) (collect l) = Some Ls ->
    In L Ls -> In (r, L) l.
  Proof.
    induction l as [|[q K] l IH]; intros r Ls L f i; simpl in f; [now rewrite PositiveMap.gempty in f|].
    destruct (N.eq_dec r q) as [->|ne].
    - rewrite PositiveMap.gss in f. injection f as <-. destruct i as [<-|i]; [now left|]. right.
      destruct (PositiveMap.find (N.succ_pos q) (collect l)) as [o|] eqn:e; [|contradiction]. eauto.
    - rewrite PositiveMap.gso in f by (intro e; now apply succ_pos_inj in e). right. eauto.
  Qed.

  Section Macrostates.
    Variable macros : list macrostate.
    Variable syms : list (list nat * (N -> N) * (N -> N)).
    Hypothesis syms_proper : forall s st bt, In (s, st, bt) syms -> proper s st bt.
    Hypothesis pairs_range : forall M q L, In M macros -> In (q, L) (pairs M) -> N.to_nat q < states.
    Hypothesis pairs_fit : forall M q L, In M macros -> In (q, L) (pairs M) -> fits n L = true.
    Hypothesis accepts : forall M, In M macros -> (exists q L, In (q, L) (pairs M) /\ final q = true /\
      (L = 0%N \/ allowed game_plays L = true)) \/
      exists t, ended M = Some t /\ mis = true /\ stuck game_plays t = true.
    Hypothesis ended_fit : forall M t, In M macros -> ended M = Some t -> fits n t = true.
    Hypothesis start : exists M, In M macros /\
      (forall q L, In (q, L) (pairs M) -> q = initial d /\ L = 0%N) /\
      forall t, ended M = Some t -> t = 0%N.
    Hypothesis closed : forall M a, In M macros -> fits n a = true ->
      exists K s st bt, In K macros /\ In (s, st, bt) syms /\
        (forall r L, In (r, L) (pairs K) -> exists Ls,
          PositiveMap.find (N.succ_pos (st r)) (collect (reached single steps_t within_t (pairs M) a)) = Some Ls /\
          In (image s L) Ls) /\
        forall u, ended K = Some u -> exists t, ended M = Some t /\ image s u = N.lor t a.

    Fixpoint act (hs : list (list nat)) (x : heights) : heights :=
      match hs with
      | [] => x
      | s :: hs' => pull s (act hs' x)
      end.

    Definition listed (hs : list (list nat)) : Prop :=
      forall s, In s hs -> exists st bt, In (s, st, bt) syms.

    Lemma small_act : forall hs m x, small m x -> small m (act hs x).
    Proof. induction hs; intros; simpl; auto. apply small_pull; auto. Qed.

    Lemma half_act : forall hs x i, half (act hs x) i = act hs (half x) i.
    Proof.
      induction hs as [|s hs IH]; intros x i; simpl; trivial. unfold half, pull.
      destruct (i <? n); trivial. apply IH.
    Qed.

    Lemma answered_act : forall hs m x, listed hs -> small m x -> answered m (act hs x) -> answered m x.
    Proof.
      induction hs as [|s hs IH]; intros m x l sm a; trivial. simpl in a.
      destruct (l s (or_introl eq_refl)) as (st & bt & i).
      apply IH; trivial; [intros t it; apply l; now right|].
      eapply answered_pull; eauto. now apply small_act.
    Qed.

    Lemma covered : forall m x, small m x -> exists hs M, listed hs /\ In M macros /\
      reach (pairs M) m (act hs x) /\ forall t, ended M = Some t -> support (act hs x) = t.
    Proof.
      induction m as [|m IH]; intros x sm.
      - destruct start as (M & mM & e & ez). exists [], M. split; [|split; [|split]]; trivial.
        + intros s [].
        + intros r L i. destruct (e r L i) as [-> ->]. exists x. split; [|reflexivity].
          intro k. now rewrite has_0.
        + intros t et. rewrite (ez t et). now apply support_zero.
      - destruct (IH (half x) (small_half m x sm)) as (hs & M & l & mM & re & sup).
        set (z := act hs x).
        assert (sz : small (S m) z) by now apply small_act.
        assert (re' : reach (pairs M) m (half z)).
        { eapply reach_ext; [|apply re]. intro i. symmetry. apply half_act. }
        pose proof (reached_sound (pairs M) m z sz re' (fun q L i => pairs_range M q L mM i)) as rr.
        destruct (closed M (low z) mM (fits_low z)) as (K & s & st & bt & mK & ms & cl & ce).
        pose proof (syms_proper s st bt ms) as pr.
        exists (s :: hs), K. split; [|split; [|split]]; trivial.
        + intros t [<-|i]; [eauto|now apply l].
        + intros r L i. destruct (cl r L i) as (Ls & f & mL).
          pose proof (collect_sound _ _ _ _ f mL) as ir. destruct (rr _ _ ir) as (y & ry & ey).
          exists (pull s y). split.
          * simpl. fold z. eapply rel_pull; eauto.
          * rewrite (run_pull s st bt pr) in ey.
            rewrite <- (pr_back s st bt pr (run (S m) (pull s y))) by apply run_range.
            rewrite ey. apply (pr_back s st bt pr). eapply pairs_range; eauto.
        + intros u eu. destruct (ce u eu) as (t & et & ei). simpl. fold z.
          assert (sz' : support z = N.lor t (low z)).
          { rewrite (support_half z) at 1. f_equal. rewrite <- (sup t et). apply support_ext.
            intro i. apply half_act. }
          rewrite <- ei, <- (support_pull s st bt pr z) in sz'.
          pose proof (fits_support (pull s z)) as f1. pose proof (ended_fit K u mK eu) as f2.
          apply has_ext. intro i. destruct (le_lt_dec n i) as [g|g].
          * destruct (has (support (pull s z)) i) eqn:h1; [apply (fits_has _ _ f1) in h1; lia|].
            destruct (has u i) eqn:h2; trivial. apply (fits_has _ _ f2) in h2; lia.
          * rewrite <- (has_image_nth n s (pr_rel s st bt pr) u i g).
            rewrite <- (has_image_nth n s (pr_rel s st bt pr) (support (pull s z)) i g).
            now rewrite sz'.
    Qed.

    Lemma all_answered : forall m x, small m x -> answered m x.
    Proof.
      intros m x sm. destruct (covered m x sm) as (hs & M & l & mM & re & sup).
      apply (answered_act hs); trivial.
      destruct (accepts M mM) as [(q & L & i & f & al)|(t & et & mi & sk)].
      - destruct (re q L i) as (y & ry & ey). destruct al as [->|al].
        + left. rewrite (run_ext m _ y); [now rewrite ey|]. intro k. specialize (ry k). now rewrite has_0 in ry.
        + right. left. exists y, L. rewrite ey. auto.
      - right. right. split; trivial. now rewrite (sup t et).
    Qed.
  End Macrostates.
End Sound.
