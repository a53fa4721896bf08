(** What has to be shown of a set of positions for it to be the set of P-positions. *)

From Coq Require Import Bool NArith Arith Lia List.
Require Import Nimatron.Game.
Import ListNotations.

(** (I) no move between members; under misere play no member without moves; (II) every position is a
    member, or has a move to one, or, under misere play, has no move. *)
Record solution (g : game) (S : position -> Prop) : Prop := {
  stable : forall x y, valid g x -> S x -> move g x y -> ~ S y;
  ending : misere g = true -> forall x, valid g x -> S x -> exists y, move g x y;
  absorbing : forall x, valid g x ->
    S x \/ (exists y, move g x y /\ S y) \/ (misere g = true /\ forall y, ~ move g x y)
}.

Lemma lower_sum : forall x y, length y = length x -> y <> x ->
  (forall i, height y i <= height x i) -> list_sum y < list_sum x.
Proof.
  induction x as [|a x IH]; intros [|b y] len ne le; simpl in *; try congruence; try lia.
  pose proof (le 0) as h0. unfold height in h0. simpl in h0.
  assert (tl : forall i, height y i <= height x i) by (intro i; apply (le (S i))).
  destruct (list_eq_dec Nat.eq_dec y x) as [->|d].
  - assert (b <> a) by congruence. lia.
  - specialize (IH y ltac:(lia) d tl). lia.
Qed.

Lemma move_lowers : forall g x y, move g x y -> forall i, height y i <= height x i.
Proof.
  intros g x y (_ & _ & a & s & _ & t) i. specialize (t i).
  destruct (has s i); [destruct a|]; lia.
Qed.

Lemma move_sum : forall g x y, move g x y -> list_sum y < list_sum x.
Proof.
  intros g x y m. pose proof (move_lowers _ _ _ m). destruct m as (len & ne & _).
  now apply lower_sum.
Qed.

Lemma move_valid : forall g x y, move g x y -> valid g x -> valid g y.
Proof. unfold valid. intros g x y (len & _) v. congruence. Qed.

(** Heights that are nowhere taller than a position are a position. *)
Lemma seq_position : forall x (r : nat -> nat), (forall i, r i <= height x i) ->
  exists y, length y = length x /\ forall i, height y i = r i.
Proof.
  induction x as [|a x IH]; intros r le.
  - exists []. split; trivial. intro i. specialize (le i). unfold height in *.
    destruct i; simpl in *; lia.
  - destruct (IH (fun i => r (S i)) (fun i => le (S i))) as (y & len & e).
    exists (r 0 :: y). split; [simpl; lia|]. intros [|i]; [reflexivity|apply e].
Qed.

(** Nobody both wins and loses. *)
Lemma exclusive : forall g x, wins g x -> loses g x -> False.
Proof.
  intros g x. remember (list_sum x) as n eqn:e. revert x e.
  induction n as [n IH] using lt_wf_ind. intros x -> w l.
  inversion l as [x' e a]; subst.
  inversion w as [x' y m ly|x' mis none]; subst.
  - exact (IH _ (move_sum _ _ _ m) y eq_refl (a y m) ly).
  - destruct (e mis) as [y m]. exact (none y m).
Qed.

Theorem solution_correct : forall g S, solution g S -> forall x, valid g x -> (loses g x <-> S x).
Proof.
  intros g S [st en ab] x. remember (list_sum x) as n eqn:e. revert x e.
  induction n as [n IH] using lt_wf_ind. intros x -> v. split.
  - intro l. destruct (ab x v) as [s|[(y & m & s)|(mis & none)]]; trivial; exfalso.
    + inversion l as [x' e a]; subst. apply (exclusive g y (a y m)).
      apply (IH _ (move_sum _ _ _ m) y eq_refl (move_valid _ _ _ m v)); trivial.
    + inversion l as [x' e a]; subst. destruct (e mis) as [y m]. exact (none y m).
  - intro s. constructor.
    + intro mis. now apply en.
    + intros y m. pose proof (move_valid _ _ _ m v) as vy.
      destruct (ab y vy) as [sy|[(z & mz & sz)|(mis & none)]].
      * exfalso. exact (st x y v s m sy).
      * apply wins_by with z; trivial.
        apply (IH (list_sum z)) ; trivial.
        -- pose proof (move_sum _ _ _ m). pose proof (move_sum _ _ _ mz). lia.
        -- eapply move_valid; eauto.
      * now apply wins_at_end.
Qed.

(** There is at most one such set. *)
Corollary solution_unique : forall g S T, solution g S -> solution g T ->
  forall x, valid g x -> (S x <-> T x).
Proof.
  intros g S T s t x v. rewrite <- (solution_correct g S s x v). now apply solution_correct.
Qed.

Theorem P_is : forall g S, solution g S -> forall x, P g x <-> valid g x /\ S x.
Proof.
  intros g S s x. unfold P. split; intros [v l]; split; trivial;
    now apply (solution_correct g S s x v).
Qed.

(** Every position is won or lost: there are finitely many moves, and they can be looked through. *)
Fixpoint below (x : position) : list position :=
  match x with
  | [] => [[]]
  | a :: x' => flat_map (fun b => map (cons b) (below x')) (seq 0 (S a))
  end.

Lemma below_all : forall x y, length y = length x -> (forall i, height y i <= height x i) ->
  In y (below x).
Proof.
  induction x as [|a x IH]; intros [|b y] len le; simpl in *; try congruence; auto.
  change (In (b :: y) (flat_map (fun b => map (cons b) (below x)) (seq 0 (S a)))).
  apply in_flat_map. exists b. split.
  - apply in_seq. pose proof (le 0) as h0. unfold height in h0. simpl in h0. lia.
  - apply in_map, IH; [lia|]. intro i. apply (le (S i)).
Qed.

Lemma takes_dec : forall a s x y, length y = length x -> {takes a s x y} + {~ takes a s x y}.
Proof.
  intros a s x y len.
  pose (one := fun i => if has s i
    then match a with
         | Any => height y i <=? height x i
         | Each => height y i <? height x i
         | One => height x i =? S (height y i)
         end
    else height y i =? height x i).
  assert (rest : forall i, one i = true <-> if has s i
    then match a with
         | Any => height y i <= height x i
         | Each => height y i < height x i
         | One => height x i = S (height y i)
         end
    else height y i = height x i).
  { intro i. unfold one. destruct (has s i); [destruct a|].
    - apply Nat.leb_le. - apply Nat.ltb_lt. - apply Nat.eqb_eq. - apply Nat.eqb_eq. }
  (* A stack outside of the position is empty before and after. *)
  assert (out : forall i, length x <= i -> height x i = 0 /\ height y i = 0).
  { intros i le. unfold height. split; apply nth_overflow; lia. }
  destruct (forallb one (seq 0 (length x)) &&
    match a with Any => true | _ => forallb (fun i => negb (has s i) || (i <? length x))
      (seq 0 (N.size_nat s)) end) eqn:e.
  - left. apply andb_prop in e. destruct e as [e1 e2]. rewrite forallb_forall in e1. intro i.
    destruct (lt_dec i (length x)) as [l|g].
    + apply rest, e1, in_seq. lia.
    + destruct (out i ltac:(lia)) as [-> ->]. destruct (has s i) eqn:h; trivial.
      assert (bound : i < N.size_nat s).
      { destruct (lt_dec i (N.size_nat s)); trivial. exfalso. unfold has in h.
        clear - h n. revert i h n. destruct s as [|p]; simpl; [congruence|].
        induction p; intros [|i] h n; simpl in *; try congruence; try lia; apply (IHp i h); lia. }
      destruct a; try lia; rewrite forallb_forall in e2; specialize (e2 i); rewrite in_seq in e2;
        specialize (e2 ltac:(lia)); rewrite h in e2; simpl in e2; apply Nat.ltb_lt in e2; lia.
  - right. intro t. apply Bool.andb_false_iff in e. destruct e as [e|e].
    + assert (T : forallb one (seq 0 (length x)) = true); [|congruence].
      apply forallb_forall. intros i _. apply rest, t.
    + destruct a; try discriminate; (match type of e with ?f = false =>
        assert (T : f = true); [|congruence] end);
      apply forallb_forall; intros i _; destruct (has s i) eqn:h; simpl; trivial;
      apply Nat.ltb_lt; destruct (lt_dec i (length x)); trivial;
      specialize (t i); rewrite h in t; destruct (out i ltac:(lia)); lia.
Qed.

Lemma move_dec : forall g x y, {move g x y} + {~ move g x y}.
Proof.
  intros g x y. destruct (Nat.eq_dec (length y) (length x)) as [len|n].
  2: { right. intros (l & _). contradiction. }
  destruct (list_eq_dec Nat.eq_dec y x) as [e|n].
  { right. intros (_ & l & _). contradiction. }
  destruct (Exists_dec (fun p => takes (fst p) (snd p) x y) (plays g)
    (fun p => takes_dec (fst p) (snd p) x y len)) as [e|ne].
  - left. repeat split; trivial. apply Exists_exists in e. destruct e as ([a s] & i & t). eauto.
  - right. intros (_ & _ & a & s & i & t). apply ne. apply Exists_exists. exists (a, s). auto.
Qed.

Theorem determined : forall g x, {wins g x} + {loses g x}.
Proof.
  intros g x. remember (list_sum x) as n eqn:e. revert x e.
  induction n as [n IH] using lt_wf_rec. intros x ->.
  assert (look : forall l, {y | In y l /\ move g x y /\ loses g y} +
      {forall y, In y l -> move g x y -> wins g y}).
  { induction l as [|y l [(z & i & r)|a]]; [right; simpl; tauto|left; exists z; simpl; tauto|].
    destruct (move_dec g x y) as [m|nm].
    - destruct (IH _ (move_sum _ _ _ m) y eq_refl) as [w|lo].
      + right. intros z [<-|i] mz; auto.
      + left. exists y. simpl; auto.
    - right. intros z [<-|i] mz; [contradiction|auto]. }
  assert (all : forall y, move g x y -> In y (below x)).
  { intros y m. apply below_all; [apply m|apply (move_lowers _ _ _ m)]. }
  destruct (look (below x)) as [(y & _ & m & l)|a].
  - left. now apply wins_by with y.
  - destruct (Bool.bool_dec (misere g) true) as [mis|nm].
    + assert (some : {y | In y (below x) /\ move g x y} + {forall y, In y (below x) -> ~ move g x y}).
      { clear - g. induction (below x) as [|y l [(z & i & r)|no]].
        - right; simpl; tauto.
        - left; exists z; simpl; tauto.
        - destruct (move_dec g x y); [left; exists y; simpl; tauto|].
          right. intros z [<-|i]; auto. }
      destruct some as [(y & _ & m)|no].
      * right. constructor; eauto.
      * left. apply wins_at_end; trivial. intros y m. exact (no y (all y m) m).
    + right. constructor; [contradiction|auto].
Qed.
