(** S given by an automaton that reads binary digits; moves are followed digit by digit (theory [Digits]).

    For (I) a list of (state of [x], state of [y], [L]) is closed under reading another digit of
    both. For (II), sets of (state of [y], [L]), the macrostates: what can be reached from
    each by reading a digit of [x] contains the image of another under a relabelling. Under misere play a
    macrostate may say which stacks are not empty, and a list of (state, such stacks) shows that no
    position without moves is accepted. *)

From Coq Require Import Bool NArith PArith Pnat Arith Lia List FMapPositive.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets.
Require Export Nimatron.Digits.
Import ListNotations.
Open Scope nat_scope.

(** * Certificates *)

Record certificate := Certificate {
  machine : automaton;
  alive : list bool;
  triples : list (N * list (N * list N));
  symmetries : list symmetry;
  macrostates : list macrostate;
  ends : list (N * list N)
}.

(** * The checker *)

Definition check (g : game) (c : certificate) : bool :=
  let n := stacks g in
  let d := machine c in
  let states := length (rows d) in
  let letters := numbers (2 ^ n) in
  let rows_t := trie (map trie (rows d)) in
  let next_t := fun q a => get 0%N (get (PositiveMap.empty N) rows_t q) a in
  let final := trie (accepting d) in
  let final_t := get false final in
  let alive_l := trie (alive c) in
  let alive_t := get false alive_l in
  let steps := trie (map (fun q => filter (fun s => alive_t (snd s))
    (map (fun a => (a, next_t q a)) letters)) (numbers states)) in
  let steps_t := get [] steps in
  let within := trie (map (fun L => some (fun p => subset L (snd p)) (plays g)) letters) in
  let within_t := get false within in
  let single := fold_right (fun p s => match fst p with One => N.lor (snd p) s | _ => s end) 0%N (plays g) in
  let seen := index_by (index_by (fun Ls => index_by (fun _ => true) (map (fun L => (L, tt)) Ls)))
    (triples c) in
  let seen_t := fun q r L =>
    get false (get (PositiveMap.empty bool) (get (PositiveMap.empty _) seen q) r) L in
  let syms := symmetries c in
  let macros := trie (map pairs (macrostates c)) in
  let ended_t := trie (map ended (macrostates c)) in
  let images := trie (map (fun s => trie (map (image (on_stacks s)) letters)) syms) in
  let image_t := fun h a => get 0%N (get (PositiveMap.empty N) images h) a in
  let state_images := trie (map (fun s => trie (on_states s)) syms) in
  let states_t := fun h q => get 0%N (get (PositiveMap.empty N) state_images h) q in
  let met := index_by (fun ts => index_by (fun _ => true) (map (fun t => (t, tt)) ts)) (ends c) in
  let met_t := fun q t => get false (get (PositiveMap.empty bool) met q) t in
  (* misere play *)
  (if misere g then met_t (initial d) 0%N && every (fun qt => every (fun t =>
    (if final_t (fst qt) then negb (stuck (plays g) t) else true) &&
    every (fun a => met_t (next_t (fst qt) a) (N.lor t a)) letters) (snd qt)) (ends c) else true) &&
  every (fun p => fits n (snd p) && match fst p with One => true
    | _ => N.eqb (N.land (snd p) single) 0 end) (plays g) &&
  (* the automaton *)
  N.ltb (initial d) (N.of_nat states) &&
  every (fun row => (length row =? 2 ^ n) && every (fun q => N.ltb q (N.of_nat states)) row) (rows d) &&
  N.eqb (next_t (initial d) 0%N) (initial d) &&
  every (fun q => if alive_t q then true else
    negb (final_t q) && every (fun a => negb (alive_t (next_t q a))) letters) (numbers states) &&
  (* symmetries *)
  every (fun s =>
    let st := trie (on_states s) in
    let im := trie (map (image (on_stacks s)) letters) in
    relabelling n (on_stacks s) && N.eqb (image (on_stacks s) single) single &&
    every (fun p => some (fun p' => N.eqb (image (on_stacks s) (snd p)) (snd p') &&
      match fst p, fst p' with Any, Any | Each, Each | One, One => true | _, _ => false end) (plays g)) (plays g) &&
    every (fun p' => some (fun p => N.eqb (image (on_stacks s) (snd p)) (snd p') &&
      match fst p, fst p' with Any, Any | Each, Each | One, One => true | _, _ => false end) (plays g)) (plays g) &&
    let bt := trie (back s) in
    N.eqb (get 0%N st (initial d)) (initial d) &&
    every (fun q => let q' := get 0%N st q in
      N.eqb (get 0%N bt q') q && Bool.eqb (final_t q') (final_t q) &&
      every (fun a => N.eqb (next_t q' (get 0%N im a)) (get 0%N st (next_t q a))) letters) (numbers states)) syms &&
  (* (I) *)
  seen_t (initial d) (initial d) 0%N &&
  every (fun qs => every (fun rs =>
    check_group (plays g) single final_t steps_t within_t seen_t (fst qs) (fst rs) (snd rs)) (snd qs)) (triples c) &&
  (* (II) *)
  match macrostates c with
  | [] => false
  | m :: _ => every (fun p => N.eqb (fst p) (initial d) && N.eqb (snd p) 0) (pairs m) &&
      match ended m with Some t => N.eqb t 0 | None => true end
  end &&
  every (check_macro n (plays g) single final_t steps_t within_t (misere g) (get [] macros)
    (get None ended_t) image_t states_t
    (N.of_nat states) (N.of_nat (length syms)) (N.of_nat (length (macrostates c)))) (macrostates c).

(** * Why it is right *)

Lemma reads_run : forall d m x, reads d m x = run (length x) d m (height x).
Proof.
  induction m as [|m IH]; intro x; simpl; trivial.
  rewrite IH, map_length.
  rewrite (run_ext (length x) d m (height (map Nat.div2 x)) (half (height x))); [reflexivity|].
  intro i. unfold half, height. exact (map_nth Nat.div2 x 0 i).
Qed.

Lemma seen_sound : forall ts q r L,
  get false (get (PositiveMap.empty bool) (get (PositiveMap.empty _)
    (index_by (index_by (fun Ls => index_by (fun _ : unit => true) (map (fun L : N => (L, tt)) Ls))) ts) q) r) L
    = true -> exists rs Ls, In (q, rs) ts /\ In (r, Ls) rs /\ In L Ls.
Proof.
  intros ts q r L h.
  set (f1 := fun Ls : list N => index_by (fun _ : unit => true) (map (fun L : N => (L, tt)) Ls)) in *.
  destruct (get_index_by _ _ (index_by f1) ts q (PositiveMap.empty (PositiveMap.t bool)) _ eq_refl)
    as [e|(rs & mrs & e)].
  - rewrite e in h. unfold get in h. rewrite !PositiveMap.gempty in h. discriminate.
  - rewrite <- e in h.
    destruct (get_index_by _ _ f1 rs r (PositiveMap.empty bool) _ eq_refl) as [e'|(Ls & mLs & e')].
    + rewrite e' in h. unfold get in h. rewrite PositiveMap.gempty in h. discriminate.
    + rewrite <- e' in h. destruct (get_index_by _ _ _ _ _ _ _ h) as [|([] & m & _)]; [discriminate|].
      apply in_map_iff in m. destruct m as (K & eK & mK). injection eK as ->. eauto.
Qed.

Lemma height_sum : forall x i, height x i <= list_sum x.
Proof.
  unfold height. induction x as [|a x IH]; intros [|i]; simpl; try lia. specialize (IH i). lia.
Qed.

Lemma every_not : forall A (f : A -> bool) l, every f l = false -> exists a, In a l /\ f a = false.
Proof.
  induction l as [|a l IH]; simpl; [discriminate|]. destruct (f a) eqn:e; [|eauto].
  intro r. destruct (IH r) as (b & m & eb). eauto.
Qed.

Theorem check_sound : forall g c, check g c = true ->
  forall x, valid g x -> (P g x <-> accepted (machine c) x).
Proof.
  intros g c ok. unfold check in ok. cbv zeta in ok. rewrite !andb_true_iff in ok.
  destruct ok as [[[[[[[[[[en pl] ir] rr] zr] al] sy] si] cg] st] mc].
  set (n := stacks g) in *. set (d := machine c) in *. set (states := length (rows d)) in *.
  set (letters := numbers (2 ^ n)) in *.
  rewrite every_forall in pl, rr, al, sy, cg, mc.
  apply N.ltb_lt in ir. apply N.eqb_eq in zr.
  set (single := fold_right (fun p s => match fst p with One => N.lor (snd p) s | _ => s end) 0%N (plays g)) in *.
  (* tables *)
  set (next_t := fun q a => get 0%N (get (PositiveMap.empty N) (trie (map trie (rows d))) q) a) in *.
  assert (nextE : forall q a, next_t q a = next d q a).
  { intros q a. unfold next_t, next. rewrite get_trie.
    destruct (lt_dec (N.to_nat q) (length (rows d))) as [l|l].
    - rewrite nth_indep with (d' := trie []) by now rewrite map_length.
      rewrite map_nth, get_trie. reflexivity.
    - rewrite (nth_overflow (map trie (rows d))) by (rewrite map_length; lia).
      rewrite (nth_overflow (rows d)) by lia. unfold get. rewrite PositiveMap.gempty.
      now destruct (N.to_nat a). }
  set (final_t := get false (trie (accepting d))) in *.
  assert (finalE : forall q, final_t q = nth (N.to_nat q) (accepting d) false).
  { intro q. apply get_trie. }
  set (alive_t := get false (trie (alive c))) in *.
  set (steps_t := get [] (trie (map (fun q => filter (fun s => alive_t (snd s))
    (map (fun a => (a, next_t q a)) letters)) (numbers states)))) in *.
  set (within_t := get false (trie (map (fun L => some (fun p => subset L (snd p)) (plays g)) letters))) in *.
  assert (lettersE : forall a, In a letters <-> fits n a = true).
  { intro a. unfold letters. rewrite in_numbers. rewrite fits_size. reflexivity. }
  assert (letterN : forall A (f : N -> A) a def, fits n a = true ->
    nth (N.to_nat a) (map f letters) def = f a).
  { intros A f a def fa. apply lettersE, in_numbers in fa.
    rewrite nth_indep with (d' := f 0%N) by (unfold letters, numbers; now rewrite !map_length, seq_length).
    rewrite map_nth. unfold letters. rewrite nth_numbers by trivial. now rewrite N2Nat.id. }
  assert (stepsE : forall q a r, N.to_nat q < states ->
    (In (a, r) (steps_t q) <-> fits n a = true /\ r = next d q a /\ alive_t r = true)).
  { intros q a r l. unfold steps_t. rewrite get_trie.
    rewrite nth_indep with (d' := (fun q => filter (fun s => alive_t (snd s))
      (map (fun a => (a, next_t q a)) letters)) 0%N) by (unfold numbers; now rewrite !map_length, seq_length).
    rewrite (map_nth (fun q => filter (fun s => alive_t (snd s)) (map (fun a => (a, next_t q a)) letters))).
    rewrite nth_numbers, N2Nat.id by trivial. rewrite filter_In, in_map_iff. simpl. split.
    - intros [(b & e & m) av]. injection e as -> <-. rewrite nextE in *. apply lettersE in m. auto.
    - intros (fa & -> & av). split; trivial. exists a. rewrite nextE. split; trivial. now apply lettersE. }
  assert (withinE : forall L, fits n L = true ->
    (within_t L = true <-> exists p, In p (plays g) /\ subset L (snd p) = true)).
  { intros L f. unfold within_t. rewrite get_trie, letterN by trivial. apply some_exists. }
  assert (nextR : forall q a, N.to_nat q < states -> fits n a = true -> N.to_nat (next d q a) < states).
  { intros q a l fa. unfold next. specialize (rr (nth (N.to_nat q) (rows d) [])).
    assert (m : In (nth (N.to_nat q) (rows d) []) (rows d)) by (apply nth_In; trivial).
    specialize (rr m). apply andb_prop in rr. destruct rr as [len rr]. apply Nat.eqb_eq in len.
    rewrite every_forall in rr. apply lettersE, in_numbers in fa.
    specialize (rr (nth (N.to_nat a) (nth (N.to_nat q) (rows d) []) 0%N)).
    rewrite N.ltb_lt in rr. assert (b : In (nth (N.to_nat a) (nth (N.to_nat q) (rows d) []) 0%N)
      (nth (N.to_nat q) (rows d) [])) by (apply nth_In; lia). specialize (rr b). lia. }
  assert (dead : forall q, N.to_nat q < states -> alive_t q = false -> final_t q = false /\
    forall a, fits n a = true -> alive_t (next d q a) = false).
  { intros q l av. specialize (al q). rewrite in_numbers in al. specialize (al l). rewrite av in al.
    apply andb_prop in al. destruct al as [a b]. apply negb_true_iff in a. split; trivial.
    intros k fk. rewrite every_forall in b. apply negb_true_iff. rewrite <- nextE. now apply b, lettersE. }
  assert (zeros : next d (initial d) 0 = initial d) by now rewrite <- nextE.
  assert (initR : N.to_nat (initial d) < states) by lia.
  assert (allowedE : forall p, In p (plays g) -> fits n (snd p) = true /\
    match fst p with One => True | _ => N.land (snd p) single = 0%N end).
  { intros p m. specialize (pl p m). apply andb_prop in pl. destruct pl as [a b]. split; trivial.
    destruct (fst p); trivial; now apply N.eqb_eq. }
  assert (singleE : forall s, In (One, s) (plays g) -> forall i, has s i = true -> has single i = true).
  { intros s m i h. unfold single. clear - m h. induction (plays g) as [|[a t] l IH]; [contradiction|].
    simpl. destruct m as [e|m].
    - injection e as -> ->. simpl. now rewrite has_lor, h.
    - specialize (IH m). destruct a; trivial. now rewrite has_lor, IH, orb_true_r. }
  assert (mc' : forall M, In M (macrostates c) -> forall q L, In (q, L) (pairs M) -> fits n L = true).
  { intros M mM q L i. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
    destruct mc as [[[[p _] _] _] _]. rewrite every_forall in p. specialize (p _ i). now apply andb_prop in p. }
  assert (mcE : forall M, In M (macrostates c) -> forall u, ended M = Some u -> fits n u = true).
  { intros M mM u eu. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
    destruct mc as [[[_ f] _] _]. rewrite eu in f. now apply andb_prop in f. }
  (* moves *)
  assert (there : forall x y, valid g x -> move g x y -> exists L,
    rel single (height x) (height y) L /\ allowed (plays g) L = true).
  { intros x y v (len & ne & a & s & mp & tk).
    set (L := set (filter (fun i => height y i <? height x i) (seq 0 n))).
    assert (hL : forall i, has L i = (height y i <? height x i)).
    { intro i. apply eq_true_iff_eq. unfold L. rewrite has_set, filter_In, in_seq. split; [tauto|].
      intro e. split; trivial. apply Nat.ltb_lt in e. destruct (le_lt_dec n i) as [l|l]; [|lia].
      unfold height at 2 in e. rewrite (nth_overflow x) in e; [lia|]. unfold valid in v. fold n in v. lia. }
    destruct (allowedE _ mp) as [fs disj]. simpl in fs, disj.
    assert (in_s : forall i, has L i = true -> has s i = true).
    { intros i h. rewrite hL in h. apply Nat.ltb_lt in h. specialize (tk i).
      destruct (has s i); trivial. lia. }
    exists L. split.
    - intro i. specialize (tk i). pose proof (in_s i) as si'. rewrite hL in *.
      destruct (Nat.ltb_spec (height y i) (height x i)) as [l|l].
      + split; trivial. intro hs. specialize (si' eq_refl). rewrite si' in tk.
        destruct a; [exfalso..|exact tk];
          assert (z : has (N.land s single) i = false) by (rewrite disj; apply has_0);
          rewrite has_land, si', hs in z; discriminate.
      + destruct (has s i); [destruct a|]; lia.
    - unfold allowed. destruct (N.eqb L 0) eqn:z.
      + exfalso. apply N.eqb_eq in z. apply ne. apply nth_ext with 0 0; trivial. intros i _.
        specialize (tk i). pose proof (hL i) as h. rewrite z, has_0 in h. symmetry in h.
        apply Nat.ltb_ge in h. unfold height in *. destruct (has s i); [destruct a|]; lia.
      + apply some_exists. exists (a, s). split; trivial. simpl.
        assert (eq : a <> Any -> L = s).
        { intro na. apply has_ext. intro i. rewrite hL. specialize (tk i).
          destruct (has s i), (Nat.ltb_spec (height y i) (height x i)); trivial; destruct a; try congruence; lia. }
        destruct a; [now apply has_subset|apply N.eqb_eq, eq; discriminate..]. }
  assert (andback : forall x y L, valid g x -> rel single (height x) y L -> allowed (plays g) L = true ->
    exists z, move g x z /\ forall i, height z i = y i).
  { intros x y L v r a. destruct (seq_position x y) as (z & len & e).
    { intro i. specialize (r i). destruct (has L i); lia. }
    exists z. split; trivial. unfold allowed in a. destruct (N.eqb L 0) eqn:nz; [discriminate|].
    apply N.eqb_neq in nz. split; [trivial|split].
    - intros ->. apply nz. apply has_ext. intro i. rewrite has_0. specialize (r i). rewrite <- e in r.
      destruct (has L i); trivial. lia.
    - apply some_exists in a. destruct a as ([b s] & mp & es). exists b, s. split; trivial. simpl in es.
      intro i. rewrite e. specialize (r i). destruct b.
      + pose proof (subset_has _ _ es i). destruct (has L i); [|destruct (has s i); lia].
        rewrite H by trivial. lia.
      + apply N.eqb_eq in es. subst s. destruct (has L i); lia.
      + apply N.eqb_eq in es. subst s. pose proof (singleE L mp i) as hs.
        destruct (has L i); [|lia]. destruct r as [_ r]. now apply r, hs. }
  (* no move is left *)
  assert (hs : forall x, valid g x -> forall i, has (support n (height x)) i = (0 <? height x i)).
  { intros x v i. rewrite has_support. destruct (Nat.ltb_spec i n) as [l|l]; trivial.
    unfold height. rewrite nth_overflow; trivial. unfold valid in v. fold n in v. lia. }
  assert (can_move : forall x, valid g x -> stuck (plays g) (support n (height x)) = false ->
    exists y, move g x y).
  { intros x v ns. unfold stuck in ns. apply every_not in ns. destruct ns as ([a s] & mp & e). simpl in e.
    assert (one : exists s', (s' <> 0)%N /\ (forall i, has s' i = true -> has s i = true /\ 0 < height x i) /\
      (a <> Any -> s' = s)).
    { assert (each : N.eqb s 0 || negb (subset s (support n (height x))) = false ->
        exists s', (s' <> 0)%N /\ (forall i, has s' i = true -> has s i = true /\ 0 < height x i) /\
        (a <> Any -> s' = s)).
      { intro f. apply orb_false_iff in f. destruct f as [f1 f2]. apply N.eqb_neq in f1.
        apply negb_false_iff in f2. exists s. repeat split; trivial.
        apply (subset_has _ _ f2) in H. rewrite (hs x v) in H. now apply Nat.ltb_lt. }
      destruct a; auto. exists (N.land s (support n (height x))). apply N.eqb_neq in e. split; trivial.
      split; [|congruence]. intros i h. rewrite has_land, (hs x v) in h. apply andb_prop in h.
      destruct h as [h1 h2]. split; trivial. now apply Nat.ltb_lt. }
    destruct one as (s' & nz & sub & eq).
    destruct (seq_position x (fun i => if has s' i then height x i - 1 else height x i)) as (y & len & ey).
    { intro i. destruct (has s' i); lia. }
    exists y. split; [trivial|split].
    - intros ->. apply nz, has_ext. intro i. rewrite has_0. specialize (ey i). specialize (sub i).
      destruct (has s' i); trivial. destruct (sub eq_refl). lia.
    - exists a, s. split; trivial. intro i. rewrite ey. specialize (sub i).
      destruct (has s i) eqn:h.
      + destruct a; [destruct (has s' i); lia|..];
          (rewrite (eq ltac:(discriminate)) in *; rewrite h in *; destruct (sub eq_refl); lia).
      + destruct (has s' i); trivial. destruct (sub eq_refl). discriminate. }
  assert (no_move : forall x, valid g x -> stuck (plays g) (support n (height x)) = true ->
    forall y, ~ move g x y).
  { intros x v sk y (len & ne & a & s & mp & tk). unfold stuck in sk. rewrite every_forall in sk.
    specialize (sk _ mp). simpl in sk. apply ne.
    assert (each : N.eqb s 0 || negb (subset s (support n (height x))) = true ->
      (forall i, has s i = true -> height y i < height x i) -> forall i, has s i = false).
    { intros f lower i. apply orb_true_iff in f. destruct f as [f|f].
      - apply N.eqb_eq in f. subst s. apply has_0.
      - exfalso. apply negb_true_iff in f. apply not_true_iff_false in f. apply f.
        apply has_subset. intros k h. rewrite (hs x v). apply Nat.ltb_lt. specialize (lower k h). lia. }
    apply nth_ext with 0 0; trivial. intros i _. change (height y i = height x i).
    pose proof (tk i) as t. destruct (has s i) eqn:h; trivial. destruct a.
    - apply N.eqb_eq in sk. assert (z : has (N.land s (support n (height x))) i = false) by (rewrite sk; apply has_0).
      rewrite has_land, h, (hs x v) in z. simpl in z. apply Nat.ltb_ge in z. lia.
    - rewrite (each sk) in h; [discriminate|]. intros k hk. specialize (tk k). now rewrite hk in tk.
    - rewrite (each sk) in h; [discriminate|]. intros k hk. specialize (tk k). rewrite hk in tk. lia. }
  (* reading *)
  assert (smallE : forall x, valid g x -> small n (list_sum x) (height x)).
  { intros x v. split; intro i.
    - pose proof (height_sum x i). pose proof (Nat.pow_gt_lin_r 2 (list_sum x) ltac:(lia)). lia.
    - intro l. apply nth_overflow. unfold valid in v. fold n in v. lia. }
  assert (acc : forall x m, valid g x -> small n m (height x) ->
    (accepted d x <-> nth (N.to_nat (run n d m (height x))) (accepting d) false = true)).
  { intros x m v sm. unfold accepted. split.
    - intros (k & lt & f). rewrite reads_run, v in f. fold n in f.
      assert (sk : small n k (height x)) by (split; [trivial|apply sm]).
      rewrite <- (run_enough n d zeros m k (height x) sm), Nat.add_comm.
      rewrite (run_enough n d zeros k m (height x) sk). trivial.
    - intro f. exists m. split; [apply sm|]. now rewrite reads_run, v. }
  assert (sol : solution g (accepted d)).
  { constructor.
    - intros x y v ax m ay. destruct (there x y v m) as (L & r & a).
      pose proof (smallE x v) as sx.
      assert (syy : small n (list_sum x) (height y)) by (eapply small_below; eauto).
      assert (vy : valid g y) by (eapply move_valid; eauto).
      apply (acc x _ v sx) in ax. apply (acc y _ vy syy) in ay. rewrite <- finalE in ax, ay.
      refine (no_move_inside n (plays g) d single final_t zeros states alive_t steps_t within_t initR nextR
        (fun q l e => proj1 (dead q l e)) (fun q b l fb e => proj2 (dead q l e) b fb) stepsE withinE
        (fun q r L => get false (get (PositiveMap.empty bool) (get (PositiveMap.empty _)
          (index_by (index_by (fun Ls => index_by (fun _ : unit => true) (map (fun L : N => (L, tt)) Ls)))
            (triples c)) q) r) L)
        si _ (list_sum x) (height x) (height y) L sx syy r a ax ay).
      intros q p K e. destruct (seen_sound _ _ _ _ e) as (rs & Ls & m1 & m2 & m3). exists Ls. split; trivial.
      specialize (cg _ m1). rewrite every_forall in cg. exact (cg _ m2).
    - intros mi x v ax. pose proof (smallE x v) as sx. apply (acc x _ v sx) in ax. rewrite <- finalE in ax.
      rewrite mi in en. apply andb_prop in en. destruct en as [e0 ec]. rewrite every_forall in ec.
      set (met_t := fun q t => get false (get (PositiveMap.empty bool)
        (index_by (fun ts : list N => index_by (fun _ : unit => true) (map (fun t : N => (t, tt)) ts)) (ends c)) q) t).
      assert (ns : stuck (plays g) (support n (height x)) = false).
      { refine (never_stuck n (plays g) d final_t zeros met_t e0 _ (list_sum x) (height x) sx ax).
        intros q u e. unfold met_t in e.
        destruct (get_index_by _ _ (fun ts : list N => index_by (fun _ : unit => true) (map (fun t : N => (t, tt)) ts))
          (ends c) q (PositiveMap.empty bool) _ eq_refl) as [z|(ts & mq & z)].
        { rewrite z in e. unfold get in e. rewrite PositiveMap.gempty in e. discriminate. }
        rewrite <- z in e. destruct (get_index_by _ _ _ _ _ _ _ e) as [|([] & m & _)]; [discriminate|].
        apply in_map_iff in m. destruct m as (u' & eu & mu). injection eu as ->.
        specialize (ec _ mq). rewrite every_forall in ec. specialize (ec _ mu). apply andb_prop in ec.
        destruct ec as [e1 e2]. cbn [fst] in *. split.
        - intro f. rewrite f in e1. now apply negb_true_iff.
        - intros a fa. rewrite every_forall in e2. rewrite <- nextE. apply e2. now apply lettersE. }
      apply (can_move x v ns).
    - intros x v. pose proof (smallE x v) as sx.
      set (images_t := trie (map (fun s => trie (map (image (on_stacks s)) letters)) (symmetries c))) in *.
      set (states_im := trie (map (fun s => trie (on_states s)) (symmetries c))) in *.
      set (fun_of := fun (l : list N) (q : N) => get 0%N (trie l) q).
      assert (an : answered n (plays g) d single final_t (misere g) (list_sum x) (height x)).
      { apply (all_answered n (plays g) d single final_t zeros states alive_t steps_t within_t initR nextR stepsE
          (misere g) (macrostates c) (map (fun s => (on_stacks s, fun_of (on_states s), fun_of (back s))) (symmetries c)));
          trivial.
        - intros s sf bf m. apply in_map_iff in m. destruct m as (u & e & mu). injection e as <- <- <-.
          specialize (sy u mu). rewrite !andb_true_iff in sy.
          destruct sy as [[[[re sg] pp] po] [ii qq]]. rewrite every_forall in pp, po, qq.
          apply N.eqb_eq in sg, ii. constructor; trivial.
          + intros a w m. specialize (pp _ m). apply some_exists in pp. destruct pp as ([b w'] & m' & e).
            apply andb_prop in e. destruct e as [e1 e2]. apply N.eqb_eq in e1. simpl in *.
            rewrite e1. destruct a, b; trivial; discriminate.
          + intros a w m. specialize (po _ m). apply some_exists in po. destruct po as ([b w'] & m' & e).
            apply andb_prop in e. destruct e as [e1 e2]. apply N.eqb_eq in e1. simpl in *.
            destruct (allowedE _ m') as [fw _]. simpl in fw. exists w'.
            destruct a, b; try discriminate; auto.
          + intros q l. specialize (qq q). rewrite in_numbers in qq. specialize (qq l).
            rewrite !andb_true_iff in qq. destruct qq as [[b _] _]. now apply N.eqb_eq.
          + intros q l. specialize (qq q). rewrite in_numbers in qq. specialize (qq l).
            rewrite !andb_true_iff in qq. destruct qq as [[_ b] _]. now apply eqb_prop.
          + intros q a l fa. specialize (qq q). rewrite in_numbers in qq. specialize (qq l).
            rewrite !andb_true_iff in qq. destruct qq as [_ b]. rewrite every_forall in b.
            specialize (b a). rewrite lettersE in b. specialize (b fa). apply N.eqb_eq in b.
            rewrite (get_trie _ 0%N (map (image (on_stacks u)) letters)), letterN in b by trivial.
            rewrite <- !nextE. exact b.
        - intros M q L mM i. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
          destruct mc as [[[[p _] _] _] _]. rewrite every_forall in p. specialize (p _ i).
          apply andb_prop in p. destruct p as [p _]. apply N.ltb_lt in p. simpl in p. lia.
        - intros M q L mM i. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
          destruct mc as [[[[p _] _] _] _]. rewrite every_forall in p. specialize (p _ i).
          now apply andb_prop in p.
        - intros M mM. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
          destruct mc as [[[[_ p] f] _] _]. apply orb_true_iff in p. destruct p as [p|p].
          + left. apply some_exists in p. destruct p as ([q L] & i & e).
            exists q, L. split; trivial. simpl in e. destruct (final_t q); [|discriminate]. split; trivial.
            destruct (N.eqb_spec L 0); auto.
          + right. destruct (ended M) as [u|]; [|discriminate]. apply andb_prop in f. exists u. tauto.
        - intros M u mM. exact (mcE M mM u).
        - destruct (macrostates c) as [|M ms]; [discriminate|]. exists M. split; [now left|].
          apply andb_prop in st. destruct st as [st se]. rewrite every_forall in st. split.
          + intros q L i. specialize (st _ i). apply andb_prop in st.
            destruct st as [a b]. split; now apply N.eqb_eq.
          + intros u eu. rewrite eu in se. now apply N.eqb_eq.
        - intros M a mM fa. specialize (mc M mM). unfold check_macro in mc. rewrite !andb_true_iff in mc.
          destruct mc as [[_ len] p]. apply Nat.eqb_eq in len. rewrite every_forall in p.
          pose proof fa as fa'. apply lettersE, in_numbers in fa'.
          specialize (p (a, nth (N.to_nat a) (leads M) (0%N, 0%N))).
          destruct (nth (N.to_nat a) (leads M) (0%N, 0%N)) as [k h] eqn:ekh. cbn beta iota in p.
          assert (ip : In (a, (k, h)) (combine (map N.of_nat (seq 0 (2 ^ n))) (leads M))).
          { rewrite <- ekh. change (map N.of_nat (seq 0 (2 ^ n))) with (numbers (2 ^ n)).
            replace a with (nth (N.to_nat a) (numbers (2 ^ n)) 0%N) at 1
              by (rewrite nth_numbers by trivial; apply N2Nat.id).
            rewrite <- combine_nth by (unfold numbers; now rewrite map_length, seq_length).
            apply nth_In. rewrite combine_length. unfold numbers. rewrite map_length, seq_length. lia. }
          specialize (p ip). destruct (N.ltb_spec k (N.of_nat (length (macrostates c)))) as [lk|]; [|discriminate].
          destruct (N.ltb_spec h (N.of_nat (length (symmetries c)))) as [lh|]; [|discriminate].
          cbv zeta in p. apply andb_prop in p. destruct p as [p pe]. rewrite every_forall in p.
          set (K := nth (N.to_nat k) (macrostates c) M).
          assert (mK : In K (macrostates c)) by (apply nth_In; lia).
          set (u := nth (N.to_nat h) (symmetries c) (Symmetry [] [] [])).
          assert (mu : In u (symmetries c)) by (apply nth_In; lia).
          exists K, (on_stacks u), (fun_of (on_states u)), (fun_of (back u)). split; trivial.
          split; [apply in_map_iff; now exists u|].
          assert (imE : forall L, fits n L = true ->
            get 0%N (get (PositiveMap.empty N) images_t h) L = image (on_stacks u) L).
          { intros L fL. unfold images_t. rewrite (get_trie (PositiveMap.t N)).
            rewrite nth_indep with (d' := (fun s => trie (map (image (on_stacks s)) letters)) (Symmetry [] [] []))
              by (rewrite map_length; lia).
            rewrite (map_nth (fun s => trie (map (image (on_stacks s)) letters))). fold u.
            now rewrite get_trie, letterN. }
          split.
          2: { intros w0 ev. rewrite get_trie in pe.
            rewrite nth_indep with (d' := ended M) in pe by (rewrite map_length; lia).
            rewrite (map_nth ended) in pe. fold K in pe. rewrite ev in pe.
            destruct (ended M) as [w|]; [|discriminate]. exists w. split; trivial.
            apply N.eqb_eq in pe. rewrite imE in pe; trivial. exact (mcE K mK w0 ev). }
          intros r L i. specialize (p (r, L)). rewrite get_trie in p.
          rewrite nth_indep with (d' := pairs M) in p by (rewrite map_length; lia).
          rewrite map_nth in p. specialize (p i). cbn [fst snd] in p.
          assert (se : get 0%N (get (PositiveMap.empty N) states_im h) r = fun_of (on_states u) r).
          { unfold states_im. rewrite (get_trie (PositiveMap.t N)).
            rewrite nth_indep with (d' := (fun s => trie (on_states s)) (Symmetry [] [] []))
              by (rewrite map_length; lia). now rewrite (map_nth (fun s => trie (on_states s))). }
          rewrite se in p.
          match type of p with match ?f with _ => _ end = _ => destruct f as [Ls|] eqn:ef; [|discriminate] end.
          exists Ls. split; trivial. apply some_exists in p. destruct p as (L' & mL & e).
          apply N.eqb_eq in e. subst L'.
          rewrite <- imE; trivial. exact (mc' K mK r L i). }
      destruct an as [f|[(y & L & r & a & f)|[mi sk]]].
      + left. apply (acc x _ v sx). now rewrite <- finalE.
      + right. left. destruct (andback x y L v r a) as (z & mz & ez). exists z. split; trivial.
        assert (vz : valid g z) by (eapply move_valid; eauto).
        assert (sz : small n (list_sum x) (height z)).
        { eapply small_ext; [intro i; symmetry; apply ez|]. eapply small_below; eauto. }
        apply (acc z _ vz sz). rewrite <- finalE. rewrite (run_ext n d _ _ y ez). trivial.
      + right. right. split; trivial. now apply no_move. }
  intros x vx. rewrite (P_is g _ sol x). tauto.
Qed.
