(** Automata and formulas: the positions that an automaton accepts are those at which a formula holds.

    A formula joins comparisons of sums with 0. While digits are read, the most significant first, the
    value of a sum of multiples goes from [v] to [2 v + d], where [d] is the sum of the same multiples of the
    digits; the digits of an exclusive or are the exclusive ors of the digits. Once [v] is large enough, it
    stays positive, and likewise negative. So what has to be known of each sum is its value, or that it is
    positive or negative from now on: its track. A list of (state, tracks) is closed under reading a
    letter, and in each of them the state accepts exactly if the formula holds by the tracks. *)

From Coq Require Import Bool NArith ZArith Arith Lia List FMapPositive.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets Nimatron.Digits Nimatron.Automaton.
Import ListNotations.
Open Scope Z_scope.

(** * Formulas *)

(** A constant and multiples of exclusive ors of heights. *)
Record sum := Sum_of { constant : Z; multiples : list (Z * list nat) }.

(** The sum with this number is 0, or at least 0. *)
Inductive phrase :=
  | Is_zero (k : nat)
  | At_least_zero (k : nat)
  | Both (p q : phrase)
  | Either (p q : phrase)
  | Neither (p : phrase).

Fixpoint xors (stacks : list nat) (h : heights) : nat :=
  match stacks with
  | [] => 0%nat
  | [i] => h i
  | i :: rest => Nat.lxor (h i) (xors rest h)
  end.

Fixpoint multiple (l : list (Z * list nat)) (h : heights) : Z :=
  match l with
  | [] => 0
  | [cs] => fst cs * Z.of_nat (xors (snd cs) h)
  | cs :: l' => fst cs * Z.of_nat (xors (snd cs) h) + multiple l' h
  end.
Definition nothing : sum := Sum_of 0 [].
Definition total_of (s : sum) (h : heights) : Z := multiple (multiples s) h + constant s.

Fixpoint means (sums : list sum) (p : phrase) (h : heights) : Prop :=
  match p with
  | Is_zero k => total_of (nth k sums nothing) h = 0
  | At_least_zero k => 0 <= total_of (nth k sums nothing) h
  | Both p q => means sums p h /\ means sums q h
  | Either p q => means sums p h \/ means sums q h
  | Neither p => ~ means sums p h
  end.

(** * The checker *)

Inductive track := Value (v : Z) | Positive | Negative.

Fixpoint parity (stacks : list nat) (a : N) : bool :=
  match stacks with
  | [] => false
  | i :: rest => xorb (has a i) (parity rest a)
  end.
Fixpoint digit (l : list (Z * list nat)) (a : N) : Z :=
  match l with
  | [] => 0
  | (c, s) :: l' => (if parity s a then c else 0) + digit l' a
  end.
Fixpoint up (l : list (Z * list nat)) : Z :=
  match l with [] => 0 | (c, _) :: l' => Z.max c 0 + up l' end.
Fixpoint down (l : list (Z * list nat)) : Z :=
  match l with [] => 0 | (c, _) :: l' => Z.max (- c) 0 + down l' end.

Definition settled (s : sum) (v : Z) : track :=
  if (down (multiples s) <=? v) && (0 <? v + constant s) then Positive
  else if (v <=? - up (multiples s)) && (v + constant s <? 0) then Negative
  else Value v.
Definition step (s : sum) (t : track) (a : N) : track :=
  match t with Value v => settled s (2 * v + digit (multiples s) a) | _ => t end.
Fixpoint steps (sums : list sum) (ts : list track) (a : N) : list track :=
  match sums, ts with
  | s :: sums', t :: ts' => step s t a :: steps sums' ts' a
  | _, _ => []
  end.

Fixpoint says (sums : list sum) (ts : list track) (p : phrase) : bool :=
  match p with
  | Is_zero k => match nth k ts (Value 0) with
      | Value v => v + constant (nth k sums nothing) =? 0
      | _ => false
      end
  | At_least_zero k => match nth k ts (Value 0) with
      | Value v => 0 <=? v + constant (nth k sums nothing)
      | Positive => true
      | Negative => false
      end
  | Both p q => says sums ts p && says sums ts q
  | Either p q => says sums ts p || says sums ts q
  | Neither p => negb (says sums ts p)
  end.

Definition same_track (t u : track) : bool :=
  match t, u with
  | Value v, Value w => v =? w
  | Positive, Positive | Negative, Negative => true
  | _, _ => false
  end.
Fixpoint same_tracks (l m : list track) : bool :=
  match l, m with
  | [], [] => true
  | t :: l', u :: m' => same_track t u && same_tracks l' m'
  | _, _ => false
  end.

(** [reached]: by state, the tracks that it is met with. *)
Definition describes (n : nat) (d : automaton) (sums : list sum) (p : phrase)
    (reached : list (N * list (list track))) : bool :=
  let letters := numbers (2 ^ n) in
  let met := index_by (fun l => l) reached in
  let seen := fun q ts => some (same_tracks ts) (get [] met q) in
  seen (initial d) (map (fun _ => Value 0) sums) &&
  every (fun ql => every (fun ts =>
    Bool.eqb (nth (N.to_nat (fst ql)) (accepting d) false) (says sums ts p) &&
    every (fun a => seen (next d (fst ql) a) (steps sums ts a)) letters) (snd ql)) reached.

(** * Why it is right *)

Lemma same_tracks_eq : forall l m, same_tracks l m = true -> l = m.
Proof.
  induction l as [|t l IH]; intros [|u m] e; simpl in e; try discriminate; trivial.
  apply andb_prop in e. destruct e as [a b]. rewrite (IH m b). f_equal.
  destruct t, u; simpl in a; try discriminate; trivial. apply Z.eqb_eq in a. now subst.
Qed.

Lemma lxor_half : forall a b, Nat.div2 (Nat.lxor a b) = Nat.lxor (Nat.div2 a) (Nat.div2 b).
Proof.
  intros a b. apply Nat.bits_inj. intro k.
  now rewrite Nat.lxor_spec, !Nat.div2_spec, !Nat.shiftr_spec', Nat.lxor_spec.
Qed.

Lemma lxor_odd : forall a b, Nat.odd (Nat.lxor a b) = xorb (Nat.odd a) (Nat.odd b).
Proof. intros a b. now rewrite <- !Nat.bit0_odd, Nat.lxor_spec. Qed.

Lemma xors_cons : forall i s h, xors (i :: s) h = Nat.lxor (h i) (xors s h).
Proof. intros i [|k s] h; trivial. simpl. now rewrite Nat.lxor_0_r. Qed.

Lemma multiple_cons : forall c s l h,
  multiple ((c, s) :: l) h = c * Z.of_nat (xors s h) + multiple l h.
Proof. intros c s [|p l] h; trivial. cbn [multiple fst snd]. lia. Qed.

Section Digits_of_sums.
  Variable n : nat.
  Variable h : heights.
  Hypothesis out : forall i, (n <= i)%nat -> h i = 0%nat.

  Lemma low_odd : forall i, has (low n h) i = Nat.odd (h i).
  Proof.
    intro i. rewrite has_low. destruct (Nat.ltb_spec i n) as [l|l]; trivial. now rewrite out.
  Qed.

  Lemma xors_step : forall s,
    xors s h = (2 * xors s (half h) + if parity s (low n h) then 1 else 0)%nat.
  Proof.
    assert (key : forall s, Nat.div2 (xors s h) = xors s (half h) /\
      Nat.odd (xors s h) = parity s (low n h)).
    { induction s as [|i s [a b]]; [now split|]. rewrite !xors_cons. cbn [parity].
      rewrite lxor_half, lxor_odd, low_odd, a, b. now split. }
    intro s. destruct (key s) as [a b]. rewrite (div2_odd (xors s h)) at 1. now rewrite a, b.
  Qed.

  Lemma multiple_step : forall l, multiple l h = 2 * multiple l (half h) + digit l (low n h).
  Proof.
    induction l as [|[c s] l IH]; trivial. rewrite !multiple_cons, IH. cbn [digit].
    rewrite (xors_step s) at 1. destruct (parity s (low n h)); lia.
  Qed.
End Digits_of_sums.

Lemma digit_bounds : forall l a, - down l <= digit l a <= up l.
Proof.
  induction l as [|[c s] l IH]; intro a; cbn [digit up down]; [lia|].
  specialize (IH a). destruct (parity s a); lia.
Qed.

Definition follows (h : heights) (s : sum) (t : track) : Prop :=
  let v := multiple (multiples s) h in
  match t with
  | Value w => v = w
  | Positive => down (multiples s) <= v /\ 0 < v + constant s
  | Negative => v <= - up (multiples s) /\ v + constant s < 0
  end.

Lemma step_follows : forall n h s t, (forall i, (n <= i)%nat -> h i = 0%nat) ->
  follows (half h) s t -> follows h s (step s t (low n h)).
Proof.
  intros n h s t out f. pose proof (multiple_step n h out (multiples s)) as e.
  pose proof (digit_bounds (multiples s) (low n h)) as b. unfold follows in *.
  destruct t as [v| |]; cbn [step].
  - unfold settled. rewrite f in e.
    destruct (_ && _) eqn:c; [apply andb_prop in c; lia|].
    destruct ((_ <=? - _) && _) eqn:c'; [apply andb_prop in c'; lia|]. exact e.
  - lia.
  - lia.
Qed.

Lemma steps_follow : forall n h, (forall i, (n <= i)%nat -> h i = 0%nat) -> forall sums ts,
  Forall2 (follows (half h)) sums ts -> Forall2 (follows h) sums (steps sums ts (low n h)).
Proof.
  intros n h out sums ts f. induction f; simpl; constructor; trivial. now apply step_follows.
Qed.

Lemma follows_nth : forall h sums ts k, Forall2 (follows h) sums ts ->
  follows h (nth k sums nothing) (nth k ts (Value 0)).
Proof.
  intros h sums ts k f. revert k. induction f; intros [|k]; simpl; trivial; reflexivity.
Qed.

Lemma says_means : forall h sums ts p, Forall2 (follows h) sums ts ->
  (says sums ts p = true <-> means sums p h).
Proof.
  intros h sums ts p f. induction p as [k|k|p IHp q IHq|p IHp q IHq|p IHp]; cbn [says means].
  - pose proof (follows_nth h sums ts k f) as g. unfold follows, total_of in *.
    destruct (nth k ts (Value 0)); [rewrite Z.eqb_eq|..]; split; intro; try discriminate; lia.
  - pose proof (follows_nth h sums ts k f) as g. unfold follows, total_of in *.
    destruct (nth k ts (Value 0)); [rewrite Z.leb_le|..]; split; intro; try discriminate;
      trivial; lia.
  - now rewrite andb_true_iff, IHp, IHq.
  - now rewrite orb_true_iff, IHp, IHq.
  - rewrite negb_true_iff, <- not_true_iff_false, IHp. tauto.
Qed.

Theorem describes_sound : forall n d sums p reached, describes n d sums p reached = true ->
  forall x, length x = n -> (accepted d x <-> means sums p (height x)).
Proof.
  intros n d sums p reached ok. unfold describes in ok. apply andb_prop in ok.
  destruct ok as [start closed]. rewrite every_forall in closed.
  set (seen := fun q ts => some (same_tracks ts) (get [] (index_by (fun l => l) reached) q)) in *.
  assert (listed : forall q ts, seen q ts = true -> exists l, In (q, l) reached /\ In ts l).
  { intros q ts e. unfold seen in e. apply some_exists in e. destruct e as (us & m & e).
    apply same_tracks_eq in e. subst us.
    destruct (get_index_by _ _ (fun l : list (list track) => l) reached q [] _ eq_refl)
      as [z|(l & ml & el)].
    - rewrite z in m. contradiction.
    - exists l. split; trivial. now rewrite el. }
  assert (walk : forall m h, small n m h -> exists ts,
    seen (run n d m h) ts = true /\ Forall2 (follows h) sums ts).
  { induction m as [|m IH]; intros h sm.
    - exists (map (fun _ => Value 0) sums). split; [exact start|].
      assert (z : forall i, h i = 0%nat) by (intro i; destruct sm as [s _]; specialize (s i); simpl in s; lia).
      clear - z. induction sums as [|s l IH]; simpl; constructor; trivial. unfold follows.
      induction (multiples s) as [|[c t] l' IHl]; trivial. rewrite multiple_cons, IHl.
      replace (xors t h) with 0%nat; [lia|].
      induction t as [|i t IHt]; trivial. now rewrite xors_cons, z, <- IHt.
    - destruct (IH (half h) (small_half n m h sm)) as (ts & s & f).
      exists (steps sums ts (low n h)). split; [|apply steps_follow; trivial; apply sm].
      destruct (listed _ _ s) as (l & ml & mt). specialize (closed _ ml). rewrite every_forall in closed.
      specialize (closed ts mt). apply andb_prop in closed. destruct closed as [_ closed].
      rewrite every_forall in closed. apply closed. apply in_numbers, fits_size.
      apply has_fits. intros i e. rewrite has_low in e. apply andb_prop in e.
      now apply Nat.ltb_lt. }
  assert (key : forall m x, length x = n -> (forall i, (height x i < 2 ^ m)%nat) ->
    (nth (N.to_nat (reads d m x)) (accepting d) false = true <-> means sums p (height x))).
  { intros m x len lt. rewrite reads_run, len.
    assert (sm : small n m (height x)).
    { split; trivial. intros i l. apply nth_overflow. lia. }
    destruct (walk m (height x) sm) as (ts & s & f). rewrite <- (says_means _ _ _ p f).
    destruct (listed _ _ s) as (l & ml & mt). specialize (closed _ ml). rewrite every_forall in closed.
    specialize (closed ts mt). apply andb_prop in closed. destruct closed as [e _].
    apply eqb_prop in e. cbn [fst] in e. rewrite e. tauto. }
  intros x len. unfold accepted. split.
  - intros (m & lt & a). now apply (key m x len lt).
  - intro mean. exists (list_sum x).
    assert (lt : forall i, (height x i < 2 ^ list_sum x)%nat).
    { intro i. pose proof (height_sum x i). pose proof (Nat.pow_gt_lin_r 2 (list_sum x) ltac:(lia)). lia. }
    split; trivial. now apply key.
Qed.

(** * In plain words *)

Lemma both_iff : forall A B C D : Prop, (A <-> C) -> (B <-> D) -> (A /\ B <-> C /\ D).
Proof. tauto. Qed.
Lemma either_iff : forall A B C D : Prop, (A <-> C) -> (B <-> D) -> (A \/ B <-> C \/ D).
Proof. tauto. Qed.
Lemma neither_iff : forall A B : Prop, (A <-> B) -> (~ A <-> ~ B).
Proof. tauto. Qed.

(** What a phrase means is what was written with numbers: comparison by comparison. *)
Ltac plainly :=
  cbv [means total_of multiple xors multiples constant nth height fst snd];
  repeat first [apply both_iff | apply either_iff | apply neither_iff]; lia.
