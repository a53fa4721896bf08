(** Sets of stacks as numbers, relabellings of stacks, and tables. *)

From Coq Require Import Bool NArith Ndigits Arith Lia List FMapPositive.
Require Import Nimatron.Game.
Import ListNotations.

(** * Sets *)

Arguments has : simpl never.

Lemma has_testbit : forall s i, has s i = N.testbit s (N.of_nat i).
Proof. intros. unfold has. symmetry. apply Ntestbit_Nbit. Qed.

Lemma has_0 : forall i, has 0 i = false.
Proof. intro. rewrite has_testbit. apply N.bits_0. Qed.

Lemma has_ext : forall a b, (forall i, has a i = has b i) -> a = b.
Proof.
  intros a b h. apply N.bits_inj. intro k.
  rewrite <- (N2Nat.id k), <- !has_testbit. apply h.
Qed.

Definition add (s : N) (i : nat) : N := N.setbit s (N.of_nat i).
Definition remove (s : N) (i : nat) : N := N.clearbit s (N.of_nat i).

Lemma of_nat_eqb : forall i j, N.eqb (N.of_nat i) (N.of_nat j) = (i =? j).
Proof.
  intros. destruct (Nat.eqb_spec i j) as [->|n]; [apply N.eqb_refl|].
  apply N.eqb_neq. lia.
Qed.

Lemma has_add : forall s j i, has (add s j) i = (j =? i) || has s i.
Proof. intros. unfold add. rewrite !has_testbit, N.setbit_eqb, of_nat_eqb. trivial. Qed.

Lemma has_remove : forall s j i, has (remove s j) i = has s i && negb (j =? i).
Proof. intros. unfold remove. rewrite !has_testbit, N.clearbit_eqb, of_nat_eqb. trivial. Qed.

Lemma has_land : forall a b i, has (N.land a b) i = has a i && has b i.
Proof. intros. rewrite !has_testbit. apply N.land_spec. Qed.

Lemma has_lor : forall a b i, has (N.lor a b) i = has a i || has b i.
Proof. intros. rewrite !has_testbit. apply N.lor_spec. Qed.

Lemma has_ldiff : forall a b i, has (N.ldiff a b) i = has a i && negb (has b i).
Proof. intros. rewrite !has_testbit. apply N.ldiff_spec. Qed.

Lemma has_set : forall l i, has (set l) i = true <-> In i l.
Proof.
  induction l as [|a l IH]; intro i; simpl.
  - rewrite has_0. split; [discriminate|tauto].
  - change (has (add (set l) a) i = true <-> a = i \/ In i l).
    rewrite has_add, orb_true_iff, IH, Nat.eqb_eq. tauto.
Qed.

Definition subset (a b : N) : bool := N.eqb (N.ldiff a b) 0.

Lemma subset_has : forall a b, subset a b = true -> forall i, has a i = true -> has b i = true.
Proof.
  unfold subset. intros a b e i h. apply N.eqb_eq in e.
  assert (f : has (N.ldiff a b) i = false) by (rewrite e; apply has_0).
  rewrite has_ldiff, h in f. destruct (has b i); trivial; discriminate.
Qed.

Lemma has_subset : forall a b, (forall i, has a i = true -> has b i = true) -> subset a b = true.
Proof.
  unfold subset. intros a b h. apply N.eqb_eq, has_ext. intro i. rewrite has_0, has_ldiff.
  destruct (has a i) eqn:e; trivial. now rewrite (h i e).
Qed.

Definition fits (n : nat) (s : N) : bool := N.size_nat s <=? n.

Lemma fits_has : forall n s, fits n s = true -> forall i, has s i = true -> i < n.
Proof.
  unfold fits, has. intros n s f i h. apply Nat.leb_le in f.
  assert (i < N.size_nat s); [|lia]. clear f. destruct s as [|p]; simpl in *; [discriminate|].
  revert i h. induction p; intros [|i] h; simpl in *; try discriminate; try lia;
    apply IHp in h; lia.
Qed.

Lemma has_fits : forall n s, (forall i, has s i = true -> i < n) -> fits n s = true.
Proof.
  intros n s h. unfold fits. apply Nat.leb_le. destruct (N.eq_dec s 0) as [->|ne]; [simpl; lia|].
  specialize (h (N.size_nat s - 1)).
  assert (top : has s (N.size_nat s - 1) = true); [|specialize (h top); lia].
  clear h. destruct s as [|p]; [congruence|]. unfold has. simpl. clear ne.
  induction p; simpl; trivial; rewrite Nat.sub_0_r in *;
    (destruct (Pos.size_nat p) eqn:e; [destruct p; discriminate|]); simpl in *;
    rewrite Nat.sub_0_r in *; trivial.
Qed.

Lemma fits_size : forall n s, fits n s = true <-> N.to_nat s < 2 ^ n.
Proof.
  intros n s. split.
  - intro f. assert (s < 2 ^ N.of_nat n)%N.
    { destruct (N.eq_dec s 0) as [->|ne]; [pose proof (N.pow_nonzero 2 (N.of_nat n)); lia|].
      destruct (N.lt_ge_cases s (2 ^ N.of_nat n)) as [|g]; trivial. exfalso.
      assert (h : has s (N.to_nat (N.log2 s)) = true).
      { rewrite has_testbit, N2Nat.id. now apply N.bit_log2. }
      apply (fits_has n s f) in h.
      apply N.log2_le_mono in g. rewrite N.log2_pow2 in g by lia. lia. }
    rewrite <- (Nat2N.id n). change 2 with (N.to_nat 2). rewrite <- N2Nat.inj_pow. lia.
  - intro l. apply has_fits. intros i h. destruct (lt_dec i n) as [|ge]; trivial. exfalso.
    rewrite has_testbit in h. rewrite N.bits_above_log2 in h; [discriminate|].
    destruct (N.eq_dec s 0) as [->|ne]; [rewrite N.bits_0 in h; discriminate|].
    apply N.log2_lt_pow2; [lia|].
    assert (s < 2 ^ N.of_nat n)%N.
    { rewrite <- (Nat2N.id n) in l. change 2 with (N.to_nat 2) in l. rewrite <- N2Nat.inj_pow in l. lia. }
    assert (2 ^ N.of_nat n <= 2 ^ N.of_nat i)%N by (apply N.pow_le_mono_r; lia). lia.
Qed.

Definition elements (n : nat) (s : N) : list nat := filter (has s) (seq 0 n).

Lemma in_elements : forall n s i, In i (elements n s) <-> i < n /\ has s i = true.
Proof. intros. unfold elements. rewrite filter_In, in_seq. intuition lia. Qed.

Definition among (s : N) (l : list N) : bool := existsb (N.eqb s) l.

Lemma among_in : forall s l, among s l = true -> In s l.
Proof.
  unfold among. intros s l e. apply existsb_exists in e. destruct e as (t & i & e).
  apply N.eqb_eq in e. now subst.
Qed.

(** Binary digits from a list. *)
Fixpoint bits (l : list bool) : N :=
  match l with
  | [] => 0
  | b :: l' => if b then N.succ_double (bits l') else N.double (bits l')
  end%N.

Lemma has_bits : forall l i, has (bits l) i = nth i l false.
Proof.
  induction l as [|b l IH]; intros i; [now rewrite has_0; destruct i|].
  destruct i as [|i]; simpl.
  - destruct b, (bits l); reflexivity.
  - rewrite <- IH. destruct b, (bits l); reflexivity.
Qed.

(** * Quick tests of lists

    The virtual machine evaluates both sides of [&&] and [||]; these stop as soon as they know. *)

Fixpoint every {A} (f : A -> bool) (l : list A) : bool :=
  match l with
  | [] => true
  | a :: l' => if f a then every f l' else false
  end.
Fixpoint some {A} (f : A -> bool) (l : list A) : bool :=
  match l with
  | [] => false
  | a :: l' => if f a then true else some f l'
  end.

Lemma every_forall : forall A (f : A -> bool) l, every f l = true <-> forall a, In a l -> f a = true.
Proof.
  intros A f l. rewrite <- forallb_forall. induction l as [|a l IH]; simpl; [tauto|].
  destruct (f a); simpl; [trivial|split; discriminate].
Qed.

Lemma some_exists : forall A (f : A -> bool) l, some f l = true <-> exists a, In a l /\ f a = true.
Proof.
  intros A f l. rewrite <- existsb_exists. induction l as [|a l IH]; simpl; [tauto|].
  destruct (f a); simpl; [tauto|trivial].
Qed.

(** * Relabellings *)

Fixpoint index (k : nat) (s : list nat) : nat :=
  match s with
  | [] => 0
  | a :: s' => if a =? k then 0 else S (index k s')
  end.

Definition relabelling (n : nat) (s : list nat) : bool :=
  (length s =? n) &&
  forallb (fun i => (nth i s 0 <? n) && (index (nth i s 0) s =? i)) (seq 0 n) &&
  forallb (fun k => (index k s <? n) && (nth (index k s) s 0 =? k)) (seq 0 n).

Section Relabelling.
  Variables (n : nat) (s : list nat).
  Hypothesis ok : relabelling n s = true.

  Lemma relabel_length : length s = n.
  Proof.
    unfold relabelling in ok. apply andb_prop in ok. destruct ok as [e _]. apply andb_prop in e.
    now apply Nat.eqb_eq.
  Qed.

  Lemma relabel_there : forall i, i < n -> nth i s 0 < n /\ index (nth i s 0) s = i.
  Proof.
    intros i l. unfold relabelling in ok. rewrite !andb_true_iff in ok. destruct ok as [[_ e] _].
    rewrite forallb_forall in e. specialize (e i). rewrite in_seq in e. specialize (e ltac:(lia)).
    rewrite andb_true_iff, Nat.ltb_lt, Nat.eqb_eq in e. trivial.
  Qed.

  Lemma relabel_back : forall k, k < n -> index k s < n /\ nth (index k s) s 0 = k.
  Proof.
    intros i l. unfold relabelling in ok. rewrite !andb_true_iff in ok. destruct ok as [_ e].
    rewrite forallb_forall in e. specialize (e i). rewrite in_seq in e. specialize (e ltac:(lia)).
    rewrite andb_true_iff, Nat.ltb_lt, Nat.eqb_eq in e. trivial.
  Qed.

  Lemma has_image : forall v k, has (image s v) k = (k <? n) && has v (index k s).
  Proof.
    intros v k. apply eq_true_iff_eq. unfold image.
    rewrite has_set, in_map_iff, relabel_length, andb_true_iff, Nat.ltb_lt. split.
    - intros (i & <- & m). apply filter_In in m. destruct m as [m h]. apply in_seq in m.
      destruct (relabel_there i ltac:(lia)) as [a ->]. auto.
    - intros [l h]. destruct (relabel_back k l) as [a e]. exists (index k s). split; trivial.
      apply filter_In. split; trivial. apply in_seq. lia.
  Qed.

  Lemma has_image_nth : forall v i, i < n -> has (image s v) (nth i s 0) = has v i.
  Proof.
    intros v i l. destruct (relabel_there i l) as [a b]. rewrite has_image, b.
    apply Nat.ltb_lt in a. now rewrite a.
  Qed.
End Relabelling.

Definition compose (s t : list nat) : list nat := map (fun i => nth i s 0) t.

Lemma image_compose : forall n s t v, relabelling n s = true -> relabelling n t = true ->
  fits n v = true -> image s (image t v) = image (compose s t) v.
Proof.
  intros n s t v os ot fv. apply has_ext. intro k. apply eq_true_iff_eq.
  rewrite (has_image n s os), andb_true_iff, Nat.ltb_lt, (has_image n t ot), andb_true_iff, Nat.ltb_lt.
  unfold image at 1. rewrite has_set, in_map_iff. unfold compose. rewrite map_length.
  rewrite (relabel_length n t ot). split.
  - intros (lk & li & h). destruct (relabel_back n s os k lk) as [a e].
    destruct (relabel_back n t ot _ li) as [b e'].
    exists (index (index k s) t). split.
    + rewrite nth_indep with (d' := nth 0 s 0) by (rewrite map_length, (relabel_length n t ot); lia).
      rewrite (map_nth (fun i => nth i s 0)). now rewrite e'.
    + apply filter_In. split; trivial. apply in_seq. lia.
  - intros (i & e & m). apply filter_In in m. destruct m as [m h]. apply in_seq in m.
    rewrite nth_indep with (d' := nth 0 s 0) in e by (rewrite map_length, (relabel_length n t ot); lia).
    rewrite (map_nth (fun i => nth i s 0)) in e.
    destruct (relabel_there n t ot i ltac:(lia)) as [a b].
    destruct (relabel_there n s os _ a) as [c d]. subst k. rewrite d, b. auto.
Qed.

(** * Tables: lists with quick access, counted from 1 *)

Fixpoint table_from {A} (k : positive) (l : list A) : PositiveMap.t A :=
  match l with
  | [] => PositiveMap.empty A
  | a :: l' => PositiveMap.add k a (table_from (Pos.succ k) l')
  end.
Definition table {A} (l : list A) : PositiveMap.t A := table_from 1 l.

Lemma find_table : forall A (l : list A) k a, PositiveMap.find k (table l) = Some a -> In a l.
Proof.
  intros A l k a. unfold table. generalize 1%positive. induction l as [|b l IH]; intros j f; simpl in f.
  - rewrite PositiveMap.gempty in f. discriminate.
  - destruct (Pos.eq_dec k j) as [->|n].
    + rewrite PositiveMap.gss in f. injection f as ->. now left.
    + rewrite PositiveMap.gso in f by trivial. right. eapply IH; eauto.
Qed.
