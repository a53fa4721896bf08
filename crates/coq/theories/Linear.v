(** Linear forms in the heights, with integer coefficients, the first stack first. *)

From Coq Require Import Bool NArith ZArith Arith Lia List.
Require Import Nimatron.Game Nimatron.Sets.
Import ListNotations.
Open Scope Z_scope.

Definition form := list Z.

(** The value of a form at a function from stacks to heights, and at a 0/1 vector. *)
Fixpoint value_from (i : nat) (f : form) (q : nat -> nat) : Z :=
  match f with
  | [] => 0
  | c :: f' => c * Z.of_nat (q i) + value_from (S i) f' q
  end.
Definition value (f : form) (q : nat -> nat) : Z := value_from 0 f q.

Fixpoint at_digits (f : form) (p : positive) : Z :=
  match f, p with
  | [], _ => 0
  | c :: _, xH => c
  | c :: f', xI p' => c + at_digits f' p'
  | _ :: f', xO p' => at_digits f' p'
  end.
Definition at_set (f : form) (s : N) : Z :=
  match s with N0 => 0 | Npos p => at_digits f p end.

Definition one (s : N) (i : nat) : nat := if has s i then 1%nat else 0%nat.

Lemma value_from_ext : forall f q r i, (forall k, (i <= k)%nat -> q k = r k) ->
  value_from i f q = value_from i f r.
Proof.
  induction f as [|c f IH]; intros q r i e; simpl; trivial.
  rewrite (e i) by lia. f_equal. apply IH. intros. apply e. lia.
Qed.

Lemma value_from_shift : forall f q i, value_from (S i) f q = value_from i f (fun k => q (S k)).
Proof. induction f as [|c f IH]; intros; simpl; trivial. now rewrite IH. Qed.

Lemma value_ext : forall f q r, (forall i, q i = r i) -> value f q = value f r.
Proof. intros. apply value_from_ext. auto. Qed.

Lemma value_from_zero : forall f i, value_from i f (fun _ => 0%nat) = 0.
Proof. induction f; intros; simpl; trivial. rewrite IHf. lia. Qed.

Lemma at_set_value : forall s f, at_set f s = value f (one s).
Proof.
  intros [|p] f.
  - unfold value. rewrite (value_from_ext f _ (fun _ => 0%nat)); [now rewrite value_from_zero|].
    intros. unfold one. now rewrite has_0.
  - simpl. unfold value. revert p. induction f as [|c f IH]; intros p; simpl; trivial.
    rewrite value_from_shift. destruct p as [p|p|]; simpl.
    + change (fun k => one (Npos p~1) (S k)) with (one (Npos p)).
      change (one (Npos p~1) 0) with 1%nat. rewrite IH. lia.
    + change (fun k => one (Npos p~0) (S k)) with (one (Npos p)).
      change (one (Npos p~0) 0) with 0%nat. rewrite IH. lia.
    + change (fun k => one 1 (S k)) with (fun _ : nat => 0%nat).
      change (one 1 0) with 1%nat. rewrite value_from_zero. lia.
Qed.

Lemma value_from_plus : forall f q r i,
  value_from i f (fun k => (q k + r k)%nat) = value_from i f q + value_from i f r.
Proof. induction f; intros; simpl; trivial. rewrite IHf. lia. Qed.

Lemma value_from_times : forall f m q i,
  value_from i f (fun k => (m * q k)%nat) = Z.of_nat m * value_from i f q.
Proof. induction f; intros; simpl; [lia|]. rewrite IHf. lia. Qed.

(** The value at a sum of 0/1 vectors has the sign of the values at the vectors. *)
Lemma value_total : forall f c t,
  (every (fun g => at_set f g <=? 0) c = true -> value f (total c t) <= 0) /\
  (every (fun g => 0 <=? at_set f g) c = true -> 0 <= value f (total c t)).
Proof.
  intros f c. induction c as [|g c IH]; intros t.
  - assert (e : value f (total [] t) = 0) by apply value_from_zero. rewrite e. lia.
  - destruct t as [|m t].
    + assert (e : value f (total (g :: c) []) = 0) by apply value_from_zero. rewrite e. lia.
    + assert (e : value f (total (g :: c) (m :: t)) =
        Z.of_nat m * value f (one g) + value f (total c t)).
      { unfold value. rewrite <- value_from_times, <- value_from_plus. apply value_from_ext.
        intros k _. simpl. unfold one. destruct (has g k); lia. }
      rewrite e, <- at_set_value. destruct (IH t) as [a b]. cbn [every]. split.
      * destruct (Z.leb_spec (at_set f g) 0); [|discriminate]. intro r. apply a in r. nia.
      * destruct (Z.leb_spec 0 (at_set f g)); [|discriminate]. intro r. apply b in r. nia.
Qed.

(** * Calculating with forms *)

Fixpoint plus (f g : form) : form :=
  match f, g with
  | [], _ => g
  | _, [] => f
  | a :: f', b :: g' => a + b :: plus f' g'
  end.
Definition scale (m : Z) (f : form) : form := map (Z.mul m) f.
Fixpoint unit (i : nat) : form := match i with 0%nat => [1] | S i' => 0 :: unit i' end.

Lemma value_plus : forall f g q, value (plus f g) q = value f q + value g q.
Proof.
  unfold value. intros f g q. generalize 0%nat. revert g.
  induction f as [|a f IH]; intros [|b g] i; simpl; try lia. rewrite IH. lia.
Qed.

Lemma value_scale : forall m f q, value (scale m f) q = m * value f q.
Proof.
  unfold value. intros m f q. generalize 0%nat. induction f as [|a f IH]; intros i; simpl; [lia|].
  rewrite IH. lia.
Qed.

Lemma value_unit : forall i q, value (unit i) q = Z.of_nat (q i).
Proof.
  unfold value. intros i q. replace (q i) with (q (0 + i)%nat) by reflexivity. generalize 0%nat.
  induction i as [|i IH]; intro k.
  - cbn [unit value_from]. rewrite Nat.add_0_r. lia.
  - cbn [unit value_from]. rewrite IH. replace (k + S i)%nat with (S k + i)%nat by lia. lia.
Qed.

Definition zero (f : form) : bool := forallb (Z.eqb 0) f.

Lemma value_from_all_zero : forall f q i, zero f = true -> value_from i f q = 0.
Proof.
  unfold zero. induction f as [|c f IH]; intros q i z; cbn [forallb value_from] in *; trivial.
  apply andb_prop in z. destruct z as [a b]. apply Z.eqb_eq in a. rewrite IH by trivial. lia.
Qed.

Lemma value_all_zero : forall f q, zero f = true -> value f q = 0.
Proof. intros. now apply value_from_all_zero. Qed.

Lemma value_nonneg : forall f q, forallb (Z.leb 0) f = true -> 0 <= value f q.
Proof.
  unfold value. intros f q. generalize 0%nat. induction f as [|c f IH]; intros i z;
    cbn [forallb value_from] in *; [lia|].
  apply andb_prop in z. destruct z as [a b]. apply Z.leb_le in a. specialize (IH (S i) b). nia.
Qed.

(** Coefficients of stacks outside of a set do not matter where these are empty. *)
Fixpoint within_from (i : nat) (R : N) (f : form) : form :=
  match f with
  | [] => []
  | c :: f' => (if has R i then c else 0) :: within_from (S i) R f'
  end.
Definition within (R : N) (f : form) : form := within_from 0 R f.

Lemma value_within : forall R f q, (forall i, has R i = false -> q i = 0%nat) ->
  value (within R f) q = value f q.
Proof.
  unfold value, within. intros R f q e. generalize 0%nat.
  induction f as [|c f IH]; intros i; simpl; trivial. rewrite IH.
  destruct (has R i) eqn:h; trivial. rewrite (e i h). lia.
Qed.

(** * Constraints: a form plus a constant is at least zero *)

Definition row : Type := form * Z.
Definition holds (q : nat -> nat) (r : row) : Prop := 0 <= value (fst r) q + snd r.

Fixpoint same_form (f g : form) : bool :=
  match f, g with
  | [], _ => zero g
  | _, [] => zero f
  | a :: f', b :: g' => (a =? b) && same_form f' g'
  end.

Lemma value_same : forall f g q, same_form f g = true -> value f q = value g q.
Proof.
  unfold value. intros f g q. generalize 0%nat. revert g.
  induction f as [|a f IH]; intros g i e.
  { symmetry. now apply value_from_all_zero. }
  destruct g as [|b g]; cbn [same_form] in e.
  - now apply value_from_all_zero.
  - apply andb_prop in e. destruct e as [x y]. apply Z.eqb_eq in x. subst. simpl.
    f_equal. now apply IH.
Qed.

(** Multiples of rows, by their numbers, add up to a negative constant. *)
Fixpoint combine_rows (rows : list row) (multiples : list (nat * Z)) : row :=
  match multiples with
  | [] => ([], 0)
  | (k, m) :: rest =>
      let (f, c) := combine_rows rows rest in
      let (g, d) := nth k rows ([], -1) in
      (plus (scale m g) f, m * d + c)
  end.
Definition contradiction (rows : list row) (multiples : list (nat * Z)) : bool :=
  forallb (fun p => (0 <=? snd p) && (fst p <? length rows)%nat) multiples &&
  let (f, c) := combine_rows rows multiples in zero f && (c <? 0).

Lemma contradiction_sound : forall rows multiples, contradiction rows multiples = true ->
  forall q, (forall r, In r rows -> holds q r) -> False.
Proof.
  intros rows ms c q h. unfold contradiction in c. apply andb_prop in c. destruct c as [ok c].
  assert (pos : holds q (combine_rows rows ms)).
  { clear c. induction ms as [|[k m] ms IH]; simpl in *.
    - unfold holds, value. simpl. lia.
    - rewrite !andb_true_iff in ok. destruct ok as [[a b] ok]. apply Z.leb_le in a.
      apply Nat.ltb_lt in b. specialize (IH ok). destruct (combine_rows rows ms) as [f c].
      pose proof (h _ (nth_In rows ([], -1) b)) as r. destruct (nth k rows ([], -1)) as [g d].
      unfold holds in *. cbn [fst snd] in *. rewrite value_plus, value_scale. nia. }
  destruct (combine_rows rows ms) as [f c']. apply andb_prop in c. destruct c as [z n].
  apply Z.ltb_lt in n. unfold holds in pos. simpl in pos. rewrite value_all_zero in pos by trivial. lia.
Qed.
