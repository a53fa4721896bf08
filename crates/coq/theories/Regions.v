(** S given by a formula without exclusive ors: linear constraints, joined (theory [Constraints]).

    - Every position of S lies in a branch, a system of constraints, shown by a tree.
    - Relabellings that permute the moves map every branch into S.
    - (I) no move leads from a branch to a branch: a tree for each kind of move and each two branches, whose
      leaves are empty; or a relabelling maps the branch into one that this was shown of before.
    - Where the constraints of a rule hold, its move is legal and leads into S.
    - (II) a tree leads every position to a rule, or to the image of one; it starts from positions in which
      some stack is a least one among its images, to which others are mapped.
    - Misere play: each position of a branch has a move; a leaf of (II) may have no move. *)

From Coq Require Import Bool NArith ZArith Arith Lia List.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets.
Require Export Nimatron.RegionChecker.
Require Nimatron.Readable.
Import ListNotations.
Open Scope Z_scope.

(** * Why it is right *)

Lemma index_in : forall l i, In i l -> (index i l < length l)%nat /\ nth (index i l) l 0%nat = i.
Proof.
  induction l as [|a l IH]; intros i m; [contradiction|]. simpl.
  destruct (Nat.eqb_spec a i) as [->|ne]; [simpl; split; [lia|trivial]|].
  destruct m as [->|m]; [congruence|]. destruct (IH i m). simpl. split; [lia|trivial].
Qed.

Definition zsum (f : nat -> Z) (l : list nat) : Z := fold_right (fun i z => f i + z) 0 l.

Lemma zsum_ext : forall f h l, (forall i, In i l -> f i = h i) -> zsum f l = zsum h l.
Proof.
  intros f h l e. induction l as [|a l IH]; simpl; trivial. rewrite (e a) by now left.
  rewrite IH; trivial. intros i m. apply e. now right.
Qed.

Lemma zsum_nonneg : forall f l, (forall i, In i l -> 0 <= f i) -> 0 <= zsum f l.
Proof.
  intros f l e. induction l as [|a l IH]; simpl; [lia|]. pose proof (e a (or_introl eq_refl)).
  assert (0 <= zsum f l) by (apply IH; intros; apply e; now right). lia.
Qed.

Lemma zsum_pos : forall f l i, (forall i, In i l -> 0 <= f i) -> In i l -> 0 < f i -> 1 <= zsum f l.
Proof.
  intros f l i e. induction l as [|a l IH]; intros m p; [contradiction|]. simpl.
  assert (t : forall i, In i l -> 0 <= f i) by (intros; apply e; now right).
  pose proof (zsum_nonneg f l t). destruct m as [->|m]; [lia|].
  specialize (IH t m p). pose proof (e a (or_introl eq_refl)). lia.
Qed.

Lemma height_map : forall n f i, height (map f (seq 0 n)) i = if (i <? n)%nat then f i else 0%nat.
Proof.
  intros n f i. unfold height. destruct (Nat.ltb_spec i n) as [l|l].
  - rewrite nth_indep with (d' := f 0%nat) by (rewrite map_length, seq_length; trivial).
    rewrite map_nth, seq_nth by trivial. reflexivity.
  - apply nth_overflow. now rewrite map_length, seq_length.
Qed.

Lemma same_play_eq : forall p q, same_play p q = true -> p = q.
Proof.
  intros [a s] [b t] e. unfold same_play in e. simpl in e. apply andb_prop in e. destruct e as [e f].
  apply N.eqb_eq in e. subst. destruct a, b; trivial; discriminate.
Qed.

Lemma both_lists_nth : forall A B (f : A -> B -> bool) l m a, both_lists f l m = true -> In a l ->
  exists b, In b m /\ f a b = true.
Proof.
  induction l as [|x l IH]; intros [|y m] a e i; try contradiction; try discriminate.
  simpl in e. apply andb_prop in e. destruct e as [e1 e2]. destruct i as [->|i].
  - exists y. simpl. auto.
  - destruct (IH m a e2 i) as (b & ib & fb). exists b. simpl. auto.
Qed.

Lemma nth_vars : forall l i v, (i < length l)%nat -> value (nth i (map var l) []) v = v (nth i l 0%nat).
Proof.
  intros l i v h. rewrite nth_indep with (d' := var 0%nat) by now rewrite map_length.
  now rewrite map_nth, value_var.
Qed.

Section Sound.
  Variable g : game.
  Let n := stacks g.
  Variable S : statement.
  Variable moves : list (amount * N).
  Hypothesis moves_all : forall p, In p (plays g) -> In p moves.
  Hypothesis moves_only : forall p, In p moves -> In p (plays g) /\ fits n (snd p) = true.
  Variable parts : list branch.

  Definition hz (x : position) : values := fun i => Z.of_nat (height x i).
  Definition agrees (v : values) (x : position) : Prop := forall i, (i < n)%nat -> v i = hz x i.
  Definition in_set (x : position) : Prop := exists v, agrees v x /\ sat S v.
  Definition in_branch (b : branch) (x : position) : Prop :=
    exists v, agrees v x /\ Forall (holds v) (constraints b).

  Lemma base_holds : forall v, (forall i, (i < n)%nat -> 0 <= v i) -> Forall (holds v) (base n).
  Proof.
    intros v h. unfold base. apply Forall_forall. intros r m. apply in_map_iff in m.
    destruct m as (i & <- & m). apply in_seq in m. cbn [holds]. rewrite value_var. apply h. lia.
  Qed.

  Lemma agrees_base : forall v x, agrees v x -> Forall (holds v) (base n).
  Proof. intros v x a. apply base_holds. intros i l. rewrite (a i l). unfold hz. lia. Qed.

  Lemma nth_own : forall l i v, (i < n)%nat -> value (nth i (own n ++ l) []) v = v i.
  Proof.
    intros l i v h. unfold own. rewrite app_nth1 by (rewrite map_length, seq_length; trivial).
    rewrite nth_vars by (rewrite seq_length; trivial). now rewrite seq_nth.
  Qed.

  Lemma member_sound : forall rows hs m, length hs = n -> check_member S rows hs m = true ->
    forall v, Forall (holds v) rows ->
    exists w, (forall i, (i < n)%nat -> w i = value (nth i hs []) v) /\ sat S w.
  Proof.
    intros rows hs m len c v h. unfold check_member in c.
    destruct (chosen S (choices m)) as [[rs [|]]|] eqn:e; try discriminate.
    pose proof (derive_sound _ _ _ c v h) as d.
    exists (fun i => value (nth i (hs ++ integers m) []) v). split.
    - intros i l. now rewrite app_nth1 by lia.
    - apply (chosen_sound _ _ _ _ e). apply Forall_forall. intros r mr.
      rewrite Forall_forall in d. apply replace_holds. apply d. now apply in_map.
  Qed.

  (** ** Moves *)
  Lemma play_rows_hold : forall v a s p stay, Forall (holds v) (play_rows n a s p stay) <->
    (forall i, In i (elements n s) -> 0 <= v (p i) /\ match a with
      | Any => v (p i) <= v i
      | Each => v (p i) < v i
      | One => v i = v (p i) + 1
      end) /\ (stay = true \/ 1 <= zsum (fun i => v i - v (p i)) (elements n s)).
  Proof.
    intros v a s p stay. unfold play_rows. rewrite Forall_app.
    assert (tot : value (fold_right (fun i f => plus (taken p i) f) [] (elements n s)) v =
      zsum (fun i => v i - v (p i)) (elements n s)).
    { unfold zsum. induction (elements n s) as [|i l IH]; cbn [fold_right]; trivial.
      rewrite value_plus, IH. unfold taken. rewrite value_minus, !value_var. reflexivity. }
    assert (one : forall l, Forall (holds v) (flat_map (fun i => Ge (var (p i)) :: match a with
      | Any => [Ge (taken p i)]
      | Each => [Ge (minus (taken p i) [1])]
      | One => [Eq (minus (taken p i) [1])]
      end) l) <-> forall i, In i l -> 0 <= v (p i) /\ match a with
      | Any => v (p i) <= v i
      | Each => v (p i) < v i
      | One => v i = v (p i) + 1
      end).
    { induction l as [|i l IH]; cbn [flat_map app]; [split; [contradiction|constructor]|].
      rewrite Forall_cons_iff, Forall_app, IH. cbn [holds]. rewrite value_var.
      assert (mid : Forall (holds v) match a with
        | Any => [Ge (taken p i)]
        | Each => [Ge (minus (taken p i) [1])]
        | One => [Eq (minus (taken p i) [1])]
        end <-> match a with Any => v (p i) <= v i | Each => v (p i) < v i | One => v i = v (p i) + 1 end).
      { destruct a; rewrite Forall_cons_iff; cbn [holds]; rewrite ?value_minus, ?value_const;
          unfold taken; rewrite value_minus, !value_var; (split; [intros [q _]; lia|intro q; split; [lia|constructor]]). }
      rewrite mid. split.
      - intros (q & r & t) j [<-|m]; auto.
      - intro q. destruct (q i (or_introl eq_refl)) as [q1 q2]. split; [exact q1|]. split; [exact q2|].
        intros j m. apply q. now right. }
    rewrite one. destruct stay.
    - split; [intros [q _]; split; auto|intros [q _]; split; [trivial|constructor]].
    - rewrite Forall_cons_iff. cbn [holds]. rewrite value_minus, value_const, tot. split.
      + intros [q [r _]]. split; trivial. right. lia.
      + intros [q [r|r]]; [discriminate|]. split; [exact q|]. split; [lia|constructor].
  Qed.

  Lemma move_kinds : forall x y, move g x y <->
    length y = length x /\ y <> x /\ exists a s, In (a, s) moves /\ takes a s x y.
  Proof.
    intros x y. unfold move. split; intros (l & ne & a & s & m & t); repeat split; trivial;
      exists a, s; split; auto. exact (proj1 (moves_only _ m)).
  Qed.

  Lemma differs : forall x y a s, valid g x -> length y = length x -> y <> x -> takes a s x y ->
    fits n s = true -> exists i, In i (elements n s) /\ (height y i < height x i)%nat.
  Proof.
    intros x y a s v len ne t f.
    destruct (existsb (fun i => (height y i <? height x i)%nat) (elements n s)) eqn:e.
    - apply existsb_exists in e. destruct e as (i & m & l). apply Nat.ltb_lt in l. eauto.
    - exfalso. apply ne. apply nth_ext with 0%nat 0%nat; trivial. intros i _. change (height y i = height x i).
      specialize (t i). destruct (has s i) eqn:h; trivial.
      assert (m : In i (elements n s)) by (apply in_elements; split; trivial; now apply (fits_has n s f)).
      assert (nl : (height y i <? height x i)%nat = false).
      { apply not_true_iff_false. intro q. apply not_true_iff_false in e. apply e, existsb_exists. eauto. }
      apply Nat.ltb_ge in nl. destruct a; lia.
  Qed.

  (** The rows of a move hold where the new heights have these names. *)
  Lemma move_rows : forall x y a s v first, valid g x -> length y = length x -> y <> x -> takes a s x y ->
    fits n s = true -> agrees v x ->
    (forall k, (k < length (elements n s))%nat -> v (first + k)%nat = hz y (nth k (elements n s) 0%nat)) ->
    Forall (holds v) (play_rows n a s (place n s first) false).
  Proof.
    intros x y a s v first vx len ne t f ag nw.
    assert (nv : forall i, In i (elements n s) -> v (place n s first i) = hz y i /\ v i = hz x i).
    { intros i m. pose proof (proj1 (in_elements _ _ _) m) as [l h]. unfold place. rewrite h.
      destruct (index_in _ _ m) as [a1 a2]. rewrite (nw _ a1), a2. split; trivial. now apply ag. }
    apply play_rows_hold. split.
    - intros i m. destruct (nv i m) as [-> ->]. pose proof (proj1 (in_elements _ _ _) m) as [_ h].
      specialize (t i). rewrite h in t. unfold hz. split; [lia|]. destruct a; lia.
    - right. destruct (differs x y a s vx len ne t f) as (i & m & l).
      apply (zsum_pos _ _ i); trivial.
      + intros j mj. destruct (nv j mj) as [-> ->]. pose proof (proj1 (in_elements _ _ _) mj) as [_ h].
        specialize (t j). rewrite h in t. unfold hz. destruct a; lia.
      + destruct (nv i m) as [-> ->]. unfold hz. lia.
  Qed.

  (** ** Relabellings *)
  Definition pull (s : list nat) (x : position) : position :=
    map (fun i => height x (nth i s 0%nat)) (seq 0 n).
  Definition push (s : list nat) (x : position) : position :=
    map (fun k => height x (index k s)) (seq 0 n).

  Lemma valid_pull : forall s x, valid g (pull s x).
  Proof. intros. unfold valid, pull. now rewrite map_length, seq_length. Qed.
  Lemma valid_push : forall s x, valid g (push s x).
  Proof. intros. unfold valid, push. now rewrite map_length, seq_length. Qed.

  Lemma height_out : forall x i, valid g x -> (n <= i)%nat -> height x i = 0%nat.
  Proof. intros x i v l. apply nth_overflow. unfold valid in v. fold n in v. lia. Qed.

  Lemma position_ext : forall x y, valid g x -> valid g y ->
    (forall i, (i < n)%nat -> height x i = height y i) -> x = y.
  Proof.
    intros x y vx vy e. unfold valid in vx, vy. fold n in vx, vy. apply nth_ext with 0%nat 0%nat; [congruence|].
    intros i l. apply e. lia.
  Qed.

  Definition keeps (s : list nat) : Prop := relabelling n s = true /\
    (forall a v, In (a, v) moves -> In (a, image s v) moves) /\
    (forall a v, In (a, v) moves -> exists w, In (a, w) moves /\ v = image s w).

  Lemma permutes_keeps : forall s, permutes n moves s = true -> keeps s.
  Proof.
    intros s p. unfold permutes in p. rewrite !andb_true_iff, !every_forall in p.
    destruct p as [[r p] q]. split; [trivial|]. split.
    - intros a v m. specialize (p _ m). apply some_exists in p. destruct p as (w & mw & e).
      apply same_play_eq in e. simpl in e. now subst.
    - intros a v m. specialize (q _ m). apply some_exists in q. destruct q as ([b w] & mw & e).
      apply same_play_eq in e. simpl in e. injection e as -> <-. eauto.
  Qed.

  Section Keeps.
    Variable s : list nat.
    Hypothesis k : keeps s.
    Let ok := proj1 k.

    Lemma push_pull : forall x, valid g x -> push s (pull s x) = x.
    Proof.
      intros x v. apply position_ext; trivial; [apply valid_push|]. intros i l. unfold push, pull.
      rewrite !height_map. destruct (relabel_back n s ok i l) as [a e]. apply Nat.ltb_lt in l, a.
      now rewrite l, a, e.
    Qed.

    Lemma pull_push : forall x, valid g x -> pull s (push s x) = x.
    Proof.
      intros x v. apply position_ext; trivial; [apply valid_pull|]. intros i l. unfold push, pull.
      rewrite !height_map. destruct (relabel_there n s ok i l) as [a e]. apply Nat.ltb_lt in l, a.
      now rewrite l, a, e.
    Qed.

    Lemma move_push : forall x y, valid g x -> move g x y -> move g (push s x) (push s y).
    Proof.
      intros x y v m. pose proof (move_valid _ _ _ m v) as vy. apply move_kinds in m.
      destruct m as (len & ne & a & w & mw & t). apply move_kinds.
      split; [unfold push; now rewrite !map_length|]. split.
      - intro e. apply ne. rewrite <- (pull_push x v), <- (pull_push y vy). now rewrite e.
      - exists a, (image s w). split; [now apply (proj1 (proj2 k))|]. intro i. unfold push.
        rewrite !height_map, (has_image n s ok). destruct (Nat.ltb_spec i n) as [l|l]; simpl; trivial.
        apply t.
    Qed.

    Lemma move_pull : forall x y, valid g x -> move g x y -> move g (pull s x) (pull s y).
    Proof.
      intros x y v m. pose proof (move_valid _ _ _ m v) as vy. apply move_kinds in m.
      destruct m as (len & ne & a & w' & mw & t). destruct (proj2 (proj2 k) a w' mw) as (w & mw' & ->).
      apply move_kinds. split; [unfold pull; now rewrite !map_length|]. split.
      - intro e. apply ne. rewrite <- (push_pull x v), <- (push_pull y vy). now rewrite e.
      - exists a, w. split; trivial. intro i. unfold pull. rewrite !height_map.
        destruct (Nat.ltb_spec i n) as [l|l].
        + specialize (t (nth i s 0%nat)). now rewrite (has_image_nth n s ok) in t.
        + destruct (has w i) eqn:h; trivial.
          pose proof (fits_has n w (proj2 (moves_only _ mw')) i h). lia.
    Qed.
  End Keeps.

  Definition symmetric (s : list nat) : Prop :=
    keeps s /\ forall x, valid g x -> in_set x -> in_set (push s x).

  Definition answered (x : position) : Prop :=
    in_set x \/ (exists y, move g x y /\ in_set y) \/ (misere g = true /\ forall y, ~ move g x y).

  Lemma answered_pull : forall s x, symmetric s -> valid g x -> answered (pull s x) -> answered x.
  Proof.
    intros s x [k c] v [i|[(y & m & i)|(mi & no)]].
    - left. rewrite <- (push_pull s k x v). apply c; trivial. apply valid_pull.
    - right. left. exists (push s y). pose proof (valid_pull s x) as vp. split.
      + rewrite <- (push_pull s k x v) at 1. now apply move_push.
      + apply c; trivial. eapply move_valid; eauto.
    - right. right. split; trivial. intros y m. apply (no (pull s y)). now apply move_pull.
  Qed.

  (** ** Branches *)
  Hypothesis bounded : forall b, In b parts -> every (within (n + further b)) (constraints b) = true.

  Definition covered_goal (v : values) : Prop := exists b, In b parts /\
    exists w, (forall i, (i < n)%nat -> w i = v i) /\ Forall (holds w) (constraints b).

  Lemma expansion_sound : forall e t,
    walk (leaf_branch n parts) (add S (Cell (n + e) (base n) [])) t = true ->
    forall x, in_set x -> exists b, In b parts /\ in_branch b x.
  Proof.
    intros e t w x (v & a & s).
    assert (gl : covered_goal v).
    { apply (walk_sound n (leaf_branch n parts) covered_goal) with (t := t) (c := add S (Cell (n + e) (base n) [])).
      - intros v1 v2 ex (b & mb & u & eu & hu). exists b. split; trivial. exists u. split; trivial.
        intros i l. rewrite (eu i l). now apply ex.
      - intros c [| | | |b fu ps| |] lf nc u [i _]; try discriminate. simpl in lf.
        destruct (nth_error parts b) as [br|] eqn:eb; [|discriminate].
        exists br. split; [eapply nth_error_In; eauto|].
        exists (fun i => value (nth i (own n ++ fu) []) u). split; [intros; now apply nth_own|].
        pose proof (derive_sound _ _ _ lf u i) as d. rewrite Forall_forall in d. apply Forall_forall.
        intros r mr. apply replace_holds, d. now apply in_map.
      - clear. generalize (Cell (n + e) (base n) []) (Nat.le_add_r n e : (n <= count (Cell (n + e) (base n) []))%nat).
        revert S. fix IH 1. intros [r|l|l] c nc; trivial.
        simpl. revert c nc. induction l as [|s l IHl]; intros c nc; trivial. apply IHl. now apply IH.
      - exact w.
      - apply inside_add; trivial. split; [|constructor]. now apply (agrees_base v x). }
    destruct gl as (b & mb & u & eu & hu). exists b. split; trivial. exists u. split; trivial.
    intros i l. rewrite (eu i l). now apply a.
  Qed.

  Hypothesis expanded : forall x, in_set x -> exists b, In b parts /\ in_branch b x.

  Lemma generator_sound : forall gen, check_generator n S moves parts gen = true -> symmetric (images gen).
  Proof.
    intros gen c. unfold check_generator in c. apply andb_prop in c. destruct c as [p c].
    pose proof (permutes_keeps _ p) as k. split; trivial. intros x v i.
    destruct (expanded x i) as (b & mb & u & ag & hu).
    destruct (both_lists_nth _ _ _ _ _ b c mb) as (m & _ & cm).
    destruct (member_sound _ (map (fun k => var (index k (images gen))) (seq 0 n)) m
      ltac:(now rewrite map_length, seq_length) cm u) as (w & ew & sw).
    { apply Forall_app. split; trivial. now apply (agrees_base u x). }
    exists w. split; trivial. intros j l. rewrite (ew j l).
    rewrite nth_indep with (d' := (fun k => var (index k (images gen))) 0%nat)
      by (rewrite map_length, seq_length; trivial).
    rewrite (map_nth (fun k => var (index k (images gen)))), seq_nth, value_var by trivial. simpl.
    destruct (relabel_back n _ (proj1 k) j l) as [lt _]. rewrite (ag _ lt). unfold hz, push.
    rewrite height_map. apply Nat.ltb_lt in l. now rewrite l.
  Qed.

  Lemma push_compose : forall s t x, relabelling n s = true -> relabelling n t = true ->
    relabelling n (compose s t) = true -> valid g x -> push (compose s t) x = push s (push t x).
  Proof.
    intros s t x rs rt rc v. apply position_ext; try apply valid_push. intros i l. unfold push.
    rewrite !height_map. pose proof l as l'. apply Nat.ltb_lt in l'. rewrite l'.
    destruct (relabel_back n s rs i l) as [a e]. pose proof a as a'. apply Nat.ltb_lt in a'. rewrite a'.
    f_equal. destruct (relabel_back n t rt _ a) as [b f].
    destruct (relabel_there n (compose s t) rc (index (index i s) t) b) as [_ h].
    unfold compose in h at 1. rewrite nth_indep with (d' := (fun i => nth i s 0%nat) 0%nat) in h
      by (rewrite map_length, (relabel_length n t rt); trivial).
    rewrite (map_nth (fun i => nth i s 0%nat)), f, e in h. exact h.
  Qed.

  Lemma word_sound : forall gens, (forall s, In s gens -> symmetric s) -> forall w,
    check_word n gens w = true -> relabelling n (word n gens w) = true /\
    forall x, valid g x -> in_set x -> in_set (push (word n gens w) x).
  Proof.
    intros gens sy. induction w as [|k w IH]; intro c; simpl in c.
    - split; trivial. intros x v i. simpl. replace (push (seq 0 n) x) with x; trivial.
      apply position_ext; trivial; [apply valid_push|]. intros j l. unfold push. rewrite height_map.
      destruct (relabel_there n _ c j l) as [_ e]. rewrite seq_nth in e by trivial. simpl in e.
      rewrite e. apply Nat.ltb_lt in l. now rewrite l.
    - rewrite !andb_true_iff in c. destruct c as [[l r] c]. split; trivial. intros x v i.
      destruct (IH c) as [rw cw]. apply Nat.ltb_lt in l. destruct (sy _ (nth_In gens [] l)) as [kp cl].
      simpl. rewrite push_compose; trivial; [|apply kp]. apply cw; [apply valid_push|]. now apply cl.
  Qed.

  (** ** (I) *)
  Definition quiet (b : branch) : Prop := forall x y, valid g x -> in_branch b x -> move g x y ->
    in_set y -> False.

  Lemma trees_quiet : forall b ts, In b parts -> both_lists (fun pb t => walk (fun _ _ => false)
    (move_cell n b (fst pb) (snd pb)) t) (list_prod moves parts) ts = true -> quiet b.
  Proof.
    intros b ts mb c x y v (v1 & a1 & h1) m iy. pose proof (move_valid _ _ _ m v) as vy.
    apply move_kinds in m. destruct m as (len & ne & a & s & ms & t).
    destruct (expanded y iy) as (b' & mb' & v2 & a2 & h2).
    destruct (both_lists_nth _ _ _ _ _ ((a, s), b') c (in_prod _ _ _ _ ms mb')) as (tr & _ & w).
    cbn [fst snd] in w. pose proof (proj2 (moves_only _ ms)) as fs. simpl in fs.
    set (n1 := (n + further b)%nat). set (e := length (elements n s)).
    set (u := fun i => if (i <? n1)%nat then v1 i else if (i <? n1 + e)%nat
      then hz y (nth (i - n1) (elements n s) 0%nat) else v2 (n + (i - n1 - e))%nat).
    assert (u1 : forall i, (i < n1)%nat -> v1 i = u i).
    { intros i l. unfold u. apply Nat.ltb_lt in l. now rewrite l. }
    assert (u2 : forall k, (k < e)%nat -> u (n1 + k)%nat = hz y (nth k (elements n s) 0%nat)).
    { intros k l. unfold u. destruct (Nat.ltb_spec (n1 + k) n1); [lia|].
      destruct (Nat.ltb_spec (n1 + k) (n1 + e)); [|lia]. do 2 f_equal. lia. }
    assert (u3 : forall j, u (n1 + e + j)%nat = v2 (n + j)%nat).
    { intro j. unfold u. destruct (Nat.ltb_spec (n1 + e + j) n1); [lia|].
      destruct (Nat.ltb_spec (n1 + e + j) (n1 + e)); [lia|]. f_equal. lia. }
    assert (au : agrees u x). { intros i l. rewrite <- u1 by (unfold n1; lia). now apply a1. }
    apply (walk_sound n (fun _ _ => false) (fun _ => False)) with (t := tr) (v := u)
      (c := move_cell n b (a, s) b'); trivial; [discriminate|unfold move_cell; simpl; fold n; lia|].
    unfold move_cell. split; [|constructor]. cbn [known]. fold n1 e.
    rewrite !Forall_app. repeat split.
    - now apply (agrees_base u x).
    - pose proof (bounded b mb) as bd. rewrite every_forall in bd. rewrite Forall_forall in *.
      intros r mr. apply (holds_ext n1 r v1 u); auto.
    - apply (move_rows x y); trivial.
    - pose proof (bounded b' mb') as bd. rewrite every_forall in bd. rewrite Forall_forall in *.
      intros r mr. apply in_map_iff in mr. destruct mr as (r' & <- & mr). apply replace_holds.
      apply (holds_ext (n + further b') r' v2); auto. intros i l.
      set (names := map (place n s n1) (seq 0 n) ++ map (fun j => (n1 + e + j)%nat) (seq 0 (further b'))).
      assert (ln : length names = (n + further b')%nat).
      { unfold names. now rewrite app_length, !map_length, !seq_length. }
      rewrite nth_vars by lia. unfold names. destruct (lt_dec i n) as [li|li].
      + rewrite app_nth1 by (rewrite map_length, seq_length; trivial).
        rewrite nth_indep with (d' := place n s n1 0%nat) by (rewrite map_length, seq_length; trivial).
        rewrite (map_nth (place n s n1)), seq_nth by trivial. simpl. rewrite (a2 i li). unfold place.
        destruct (has s i) eqn:h.
        * assert (mi : In i (elements n s)) by (apply in_elements; auto).
          destruct (index_in _ _ mi) as [q1 q2]. rewrite (u2 _ q1), q2. trivial.
        * rewrite (au i li). unfold hz. specialize (t i). rewrite h in t. now rewrite t.
      + rewrite app_nth2 by (rewrite map_length, seq_length; lia). rewrite map_length, seq_length.
        rewrite nth_indep with (d' := (fun j => (n1 + e + j)%nat) 0%nat)
          by (rewrite map_length, seq_length; lia).
        rewrite (map_nth (fun j => (n1 + e + j)%nat)), seq_nth by lia. rewrite u3. f_equal. lia.
  Qed.

  Variable syms : list (list nat).
  Hypothesis syms_ok : forall s, In s syms -> symmetric s.

  Lemma source_quiet : forall done b src, In b parts -> check_source n moves parts syms done b src = true ->
    (forall k br, In k done -> nth_error parts k = Some br -> quiet br) -> quiet b.
  Proof.
    intros done b [ts|k into fu ps] mb c dn; cbn [check_source] in c; [eapply trees_quiet; eauto|].
    destruct (nth_error syms k) as [s|] eqn:es; [|discriminate].
    destruct (nth_error parts into) as [b'|] eqn:eb; [|discriminate].
    apply andb_prop in c. destruct c as [ex d]. apply existsb_exists in ex. destruct ex as (k' & mk & ek).
    apply Nat.eqb_eq in ek. subst k'. pose proof (dn into b' mk eb) as q.
    destruct (syms_ok s (nth_error_In _ _ es)) as [kp cl].
    intros x y v (u & a & h) m iy. apply (q (push s x) (push s y)).
    - apply valid_push.
    - exists (fun i => value (nth i (map (fun k => var (index k s)) (seq 0 n) ++ fu) []) u). split.
      + intros i l. rewrite app_nth1 by (rewrite map_length, seq_length; trivial).
        rewrite nth_indep with (d' := (fun k => var (index k s)) 0%nat)
          by (rewrite map_length, seq_length; trivial).
        rewrite (map_nth (fun k => var (index k s))), seq_nth, value_var by trivial. simpl.
        destruct (relabel_back n s (proj1 kp) i l) as [lt _]. rewrite (a _ lt). unfold hz, push.
        rewrite height_map. apply Nat.ltb_lt in l. now rewrite l.
      + assert (hb : Forall (holds u) (base n ++ constraints b)).
        { apply Forall_app. split; trivial. now apply (agrees_base u x). }
        pose proof (derive_sound _ _ _ d u hb) as dd. rewrite Forall_forall in dd. apply Forall_forall.
        intros r mr. apply replace_holds, dd. now apply in_map.
    - now apply move_push.
    - apply cl; trivial. eapply move_valid; eauto.
  Qed.

  Lemma separation_sound : forall l done, check_separation n moves parts syms done l = true ->
    (forall k br, In k done -> nth_error parts k = Some br -> quiet br) ->
    forall b, In b parts -> quiet b.
  Proof.
    induction l as [|[b src] l IH]; intros done c dn b0 mb; cbn [check_separation] in c.
    - rewrite every_forall in c. apply In_nth_error in mb. destruct mb as [k e].
      assert (lk : (k < length parts)%nat) by (apply nth_error_Some; congruence).
      specialize (c k ltac:(apply in_seq; lia)). apply existsb_exists in c.
      destruct c as (k' & mk & ek). apply Nat.eqb_eq in ek. subst k'. eauto.
    - destruct (nth_error parts b) as [br|] eqn:e; [|discriminate]. apply andb_prop in c.
      destruct c as [cs c]. pose proof (source_quiet done br src (nth_error_In _ _ e) cs dn) as q.
      apply (IH (b :: done) c); trivial. intros k br' [<-|mk] ek; [|eauto].
      rewrite e in ek. injection ek as <-. exact q.
  Qed.

  (** ** Rules *)
  Definition does (r : rule) (x : position) : Prop :=
    match target r with
    | Some _ => in_set x \/ exists y, move g x y /\ in_set y
    | None => match played r with Some _ => exists y, move g x y | None => True end
    end.

  Lemma rule_sound : forall r, check_rule n S moves r = true -> forall v x, valid g x -> agrees v x ->
    Forall (holds v) (constraints (region r)) -> does r x.
  Proof.
    intros r c v x vx ag h. unfold check_rule in c.
    assert (hb : Forall (holds v) (base n ++ constraints (region r))).
    { apply Forall_app. split; trivial. now apply (agrees_base v x). }
    unfold does. destruct (played r) as [k|].
    2: { destruct (target r) as [m|]; trivial. left.
      destruct (member_sound _ (own n) m ltac:(unfold own; now rewrite map_length, seq_length) c v hb)
        as (w & ew & sw). exists w. split; trivial. intros i l. rewrite (ew i l).
      pose proof (nth_own [] i v l) as e. rewrite app_nil_r in e. rewrite e. now apply ag. }
    destruct (nth_error moves k) as [[a s]|] eqn:ek; [|discriminate]. apply nth_error_In in ek.
    pose proof (proj2 (moves_only _ ek)) as fs. simpl in fs.
    cbv zeta in c. set (stay := match a, target r with Any, Some _ => true | _, _ => false end) in *.
    apply andb_prop in c. destruct c as [d cm].
    set (w := fun i => value (nth i (own n ++ lowered r) []) v).
    assert (pr : Forall (holds w) (play_rows n a s (place n s n) stay)).
    { pose proof (derive_sound _ _ _ d v hb) as dd. rewrite Forall_forall in dd. apply Forall_forall.
      intros q mq. apply replace_holds, dd. now apply in_map. }
    apply play_rows_hold in pr. destruct pr as [pi pt].
    set (nh := map (fun i => if has s i then nth (index i (elements n s)) (lowered r) [] else var i) (seq 0 n)).
    assert (nhE : forall i, (i < n)%nat -> value (nth i nh []) v = if has s i then w (place n s n i) else v i).
    { intros i l. unfold nh.
      rewrite nth_indep with (d' := (fun i => if has s i then nth (index i (elements n s)) (lowered r) []
        else var i) 0%nat) by (rewrite map_length, seq_length; trivial).
      rewrite (map_nth (fun i => if has s i then nth (index i (elements n s)) (lowered r) [] else var i)).
      rewrite seq_nth by trivial. simpl. destruct (has s i) eqn:hs; [|apply value_var].
      unfold w, place. rewrite hs. rewrite app_nth2; unfold own; rewrite map_length, seq_length; [|lia].
      do 2 f_equal. lia. }
    assert (wi : forall i, (i < n)%nat -> w i = hz x i).
    { intros i l. unfold w. rewrite nth_own by trivial. now apply ag. }
    set (y := map (fun i => Z.to_nat (value (nth i nh []) v)) (seq 0 n)).
    assert (vy : valid g y) by (unfold valid, y; now rewrite map_length, seq_length).
    assert (inE : forall i, (i < n)%nat -> has s i = true -> In i (elements n s)) by (intros; now apply in_elements).
    assert (hy : forall i, (i < n)%nat -> hz y i = value (nth i nh []) v).
    { intros i l. unfold hz, y. rewrite height_map. pose proof l as l'. apply Nat.ltb_lt in l'. rewrite l'.
      apply Z2Nat.id. rewrite (nhE i l). destruct (has s i) eqn:hs; [apply pi; auto|].
      rewrite (ag i l). unfold hz. lia. }
    assert (tk : takes a s x y).
    { intro i. destruct (lt_dec i n) as [l|l].
      - pose proof (hy i l) as e. rewrite (nhE i l) in e. destruct (has s i) eqn:hs.
        + destruct (pi i (inE i l hs)) as [_ q]. rewrite <- e, (wi i l) in q. unfold hz in q. destruct a; lia.
        + rewrite (ag i l) in e. unfold hz in e. lia.
      - assert (z : has s i = false).
        { destruct (has s i) eqn:hs; trivial. pose proof (fits_has n s fs i hs). lia. }
        rewrite z, !(height_out _ i) by (trivial; lia). trivial. }
    assert (len : length y = length x) by (transitivity (stacks g); [exact vy|symmetry; exact vx]).
    destruct (list_eq_dec Nat.eq_dec y x) as [e|ne].
    - destruct pt as [pt|pt].
      + destruct (target r) as [m|]; [|unfold stay in pt; destruct a; discriminate]. left.
        destruct (member_sound _ nh m ltac:(unfold nh; now rewrite map_length, seq_length) cm v hb)
          as (u & eu & su). exists u. split; trivial. intros i l. rewrite (eu i l), <- (hy i l). now rewrite e.
      + exfalso. assert (z : zsum (fun i => w i - w (place n s n i)) (elements n s) = zsum (fun _ => 0) (elements n s)).
        { apply zsum_ext. intros i m. apply in_elements in m. destruct m as [l hs].
          pose proof (hy i l) as q. rewrite (nhE i l), hs in q. rewrite <- q, (wi i l), e. lia. }
        rewrite z in pt. clear - pt. induction (elements n s); simpl in *; lia.
    - assert (m : move g x y) by (apply move_kinds; eauto 7).
      destruct (target r) as [me|]; [|eauto]. right. exists y. split; trivial.
      destruct (member_sound _ nh me ltac:(unfold nh; now rewrite map_length, seq_length) cm v hb)
        as (u & eu & su). exists u. split; trivial. intros i l. rewrite (eu i l). symmetry. now apply hy.
  Qed.

  Variable laws : list rule.
  Hypothesis laws_ok : forall r, In r laws -> check_rule n S moves r = true.
  Hypothesis identity : relabelling n (seq 0 n) = true.

  (** A rule holds at the image of a position, or at the position itself. *)
  Lemma applies_sound : forall c r sym bind ps, In r laws -> applies n syms c r sym bind ps = true ->
    forall v x, valid g x -> agrees v x -> inside c v ->
    does r x \/ exists s, In s syms /\ does r (pull s x).
  Proof.
    intros c r sym bind ps mr ap v x vx ag [i _]. unfold applies in ap.
    assert (gen : forall s, relabelling n s = true ->
      derive (known c) (map (replace_row (map var (s ++ bind))) (constraints (region r))) ps = true ->
      does r (pull s x)).
    { intros s rs d. pose proof (relabel_length n s rs) as ln.
      apply (rule_sound r (laws_ok r mr) (fun i => value (nth i (map var (s ++ bind)) []) v)).
      - apply valid_pull.
      - intros j l. rewrite nth_vars by (rewrite app_length; lia). rewrite app_nth1 by lia.
        destruct (relabel_there n s rs j l) as [lt _]. rewrite (ag _ lt). unfold hz, pull.
        rewrite height_map. apply Nat.ltb_lt in l. now rewrite l.
      - pose proof (derive_sound _ _ _ d v i) as dd. rewrite Forall_forall in dd. apply Forall_forall.
        intros q mq. apply replace_holds, dd. now apply in_map. }
    destruct sym as [k|].
    - destruct (nth_error syms k) as [s|] eqn:es; [|discriminate]. right. exists s.
      pose proof (nth_error_In _ _ es) as ms. split; trivial. apply gen; trivial. apply syms_ok; trivial.
    - left. replace x with (pull (seq 0 n) x); [now apply gen|].
      apply position_ext; trivial; [apply valid_pull|]. intros j l. unfold pull. rewrite height_map.
      rewrite seq_nth by trivial. apply Nat.ltb_lt in l. now rewrite l.
  Qed.

  Lemma playable_sound : forall b t, In b parts -> walk (leaf_playable n syms laws)
    (Cell (n + further b) (base n ++ constraints b) []) t = true ->
    forall x, valid g x -> in_branch b x -> exists y, move g x y.
  Proof.
    intros b t mb w x vx (v & ag & h).
    apply (walk_sound n (leaf_playable n syms laws)
      (fun v => forall x, valid g x -> agrees v x -> exists y, move g x y)) with (t := t) (v := v)
      (c := Cell (n + further b) (base n ++ constraints b) []); trivial.
    - intros v1 v2 e q z vz az. apply q; trivial. intros i l. rewrite (e i l). now apply az.
    - intros c [| | | | |r sym bind ps|] lf nc u iu z vz az; try discriminate. simpl in lf.
      destruct (nth_error laws r) as [[reg [k|] lo le [m|]]|] eqn:er; try discriminate.
      apply nth_error_In in er.
      destruct (applies_sound _ _ _ _ _ er lf u z vz az iu) as [d|(s & ms & d)]; unfold does in d; simpl in d; trivial.
      destruct d as [y my]. destruct (syms_ok s ms) as [kp _]. exists (push s y).
      rewrite <- (push_pull s kp z vz). apply move_push; trivial. apply valid_pull.
    - simpl. lia.
    - split; [|constructor]. simpl. apply Forall_app. split; trivial. now apply (agrees_base v x).
  Qed.

  (** ** (II) *)
  Lemma coverage_sound : forall rows t, walk (leaf_move n moves (misere g) syms laws) (Cell n (base n ++ rows) []) t = true ->
    forall x, valid g x -> Forall (holds (hz x)) rows -> answered x.
  Proof.
    intros rows t w x vx h.
    apply (walk_sound n (leaf_move n moves (misere g) syms laws)
      (fun v => forall x, valid g x -> agrees v x -> answered x)) with (t := t) (v := hz x)
      (c := Cell n (base n ++ rows) []); trivial.
    - intros v1 v2 e q z vz az. apply q; trivial. intros i l. rewrite (e i l). now apply az.
    - intros c [| | | | |r sym bind ps|ps] lf nc u iu z vz az; try discriminate; simpl in lf.
      + destruct (nth_error laws r) as [[reg pl lo le [m|]]|] eqn:er; try discriminate.
        apply nth_error_In in er.
        assert (lift : forall z, does (Rule reg pl lo le (Some m)) z -> answered z).
        { intros z' [d|d]; [now left|right; now left]. }
        destruct (applies_sound _ _ _ _ _ er lf u z vz az iu) as [d|(s & ms & d)]; [now apply lift|].
        apply (answered_pull s); auto.
      + rewrite !andb_true_iff in lf. destruct lf as [[mi wi] lf]. right. right. split; trivial.
        intros y m. apply move_kinds in m. destruct m as (len & ne & a & s & ms & tk).
        destruct (both_lists_nth _ _ _ _ _ (a, s) lf ms) as (f & _ & rf). simpl in rf.
        pose proof (proj2 (moves_only _ ms)) as fs. simpl in fs. destruct iu as [ik _].
        set (u' := fun i => if (i <? count c)%nat then u i else hz y (nth (i - count c) (elements n s) 0%nat)).
        assert (eu : forall i, (i < count c)%nat -> u i = u' i).
        { intros i l. unfold u'. apply Nat.ltb_lt in l. now rewrite l. }
        apply (refute_sound _ _ rf u'). apply Forall_app. split.
        * rewrite every_forall in wi. rewrite Forall_forall in *. intros q mq.
          apply (holds_ext (count c) q u u'); auto.
        * apply (move_rows z y); trivial.
          -- intros i l. rewrite <- eu by lia. now apply az.
          -- intros k l. unfold u'. destruct (Nat.ltb_spec (count c + k) (count c)); [lia|].
             do 2 f_equal. lia.
    - split; [|constructor]. simpl. apply Forall_app. split; trivial.
      apply base_holds. intros. unfold hz. lia.
    - intros i _. reflexivity.
  Qed.

  Variable first : option nat.
  Variable circle : list nat.
  Variable swap : option (nat * nat * nat).

  Definition start_rows : list row :=
    match first with Some l => map (lower l) circle | None => [] end ++
    match swap with Some (a, b, _) => [lower a b] | None => [] end.

  Lemma lower_holds : forall a b x, holds (hz x) (lower a b) <-> (height x a <= height x b)%nat.
  Proof. intros. unfold lower. cbn [holds]. rewrite value_minus, !value_var. unfold hz. lia. Qed.

  Lemma height_pull : forall s x i, (i < n)%nat -> height (pull s x) i = height x (nth i s 0%nat).
  Proof. intros s x i l. unfold pull. rewrite height_map. apply Nat.ltb_lt in l. now rewrite l. Qed.

  Lemma everywhere :
    match first with
    | Some l => (l < n)%nat /\ forall o, In o circle -> exists s, In s syms /\ nth l s 0%nat = o
    | None => circle = []
    end ->
    match swap with
    | Some (a, b, k) => exists s, nth_error syms k = Some s /\ (a < n)%nat /\ (b < n)%nat /\
        nth a s 0%nat = b /\ nth b s 0%nat = a /\
        match first with
        | Some l => nth l s 0%nat = l /\
            forall o, In o circle -> (o < n)%nat /\ In (nth o s 0%nat) (l :: circle)
        | None => True
        end
    | None => True
    end ->
    (forall x, valid g x -> Forall (holds (hz x)) start_rows -> answered x) ->
    forall x, valid g x -> answered x.
  Proof.
    intros hf hs q.
    assert (step1 : (forall x, valid g x -> Forall (holds (hz x))
        match first with Some l => map (lower l) circle | None => [] end -> answered x) ->
      forall x, valid g x -> answered x).
    { intros q1. destruct first as [l|]; [|intros x v; apply q1; trivial]. destruct hf as [ll hc].
      intro x. remember (height x l) as m eqn:em. revert x em.
      induction m as [m IH] using lt_wf_ind. intros x -> v.
      destruct (existsb (fun o => (height x o <? height x l)%nat) circle) eqn:e.
      - apply existsb_exists in e. destruct e as (o & mo & lt). apply Nat.ltb_lt in lt.
        destruct (hc o mo) as (s & ms & es). apply (answered_pull s); auto.
        apply (IH (height (pull s x) l)); trivial; [|apply valid_pull]. rewrite height_pull by trivial. now rewrite es.
      - apply q1; trivial. apply Forall_forall. intros r mr. apply in_map_iff in mr.
        destruct mr as (o & <- & mo). apply lower_holds.
        destruct (le_lt_dec (height x l) (height x o)) as [|lt]; trivial. exfalso.
        apply not_true_iff_false in e. apply e, existsb_exists. exists o. split; trivial. now apply Nat.ltb_lt. }
    apply step1. clear step1. intros x v h1. unfold start_rows in q.
    destruct swap as [[[a b] k]|].
    2: { apply q; trivial. now rewrite app_nil_r. }
    destruct hs as (s & es & la & lb & ea & eb & rest).
    destruct (le_lt_dec (height x a) (height x b)) as [l|l].
    - apply q; trivial. apply Forall_app. split; trivial. constructor; [|constructor]. now apply lower_holds.
    - apply (answered_pull s); [apply syms_ok; eapply nth_error_In; eauto|trivial|].
      apply q; [apply valid_pull|]. apply Forall_app. split.
      + destruct first as [f|]; [|constructor]. destruct rest as [ef rest]. destruct hf as [lf _].
        rewrite Forall_forall in h1. apply Forall_forall. intros r mr. apply in_map_iff in mr.
        destruct mr as (o & <- & mo). destruct (rest o mo) as [lo io]. apply lower_holds.
        rewrite !height_pull, ef by trivial. destruct io as [<-|io]; [lia|].
        apply lower_holds. apply h1. now apply in_map.
      + constructor; [|constructor]. apply lower_holds. rewrite !height_pull, ea, eb by trivial. lia.
  Qed.
End Sound.

Theorem check_sound : forall g c, check g c = true ->
  forall x, valid g x -> (P g x <-> described (stacks g) (formula c) x).
Proof.
  intros g c ok. unfold check in ok. cbv zeta in ok. rewrite !andb_true_iff in ok.
  destruct ok as [[[[[[[[[[[[[pl pl'] bd] ex] ge] id] wo] pe] se] ru] pb] le] xc] co].
  set (n := stacks g) in *. rewrite every_forall in pl, pl', bd, ge, wo, pe, ru.
  set (syms := map (word n (map images (generators c))) (symmetries c)) in *.
  assert (m_all : forall p, In p (plays g) -> In p (kinds c)).
  { intros p m. specialize (pl p m). apply some_exists in pl. destruct pl as (q & mq & e).
    apply same_play_eq in e. now subst. }
  assert (m_only : forall p, In p (kinds c) -> In p (plays g) /\ fits (stacks g) (snd p) = true).
  { intros p m. specialize (pl' p m). apply andb_prop in pl'. destruct pl' as [s f]. split; trivial.
    apply some_exists in s. destruct s as (q & mq & e). apply same_play_eq in e. now subst. }
  assert (exp : forall x, in_set g (formula c) x -> exists b, In b (branches c) /\ in_branch g b x).
  { intros x i. eapply expansion_sound; eauto. }
  assert (gens : forall s, In s (map images (generators c)) -> symmetric g (formula c) (kinds c) s).
  { intros s m. apply in_map_iff in m. destruct m as (gen & <- & m).
    eapply generator_sound; eauto. }
  assert (sy : forall s, In s syms -> symmetric g (formula c) (kinds c) s).
  { intros s m. pose proof (permutes_keeps g (kinds c) s (pe s m)) as k. split; trivial.
    unfold syms in m. apply in_map_iff in m. destruct m as (w & <- & m).
    eapply word_sound; eauto. }
  assert (quiets : forall b, In b (branches c) -> quiet g (formula c) b).
  { eapply separation_sound; eauto. intros k br []. }
  assert (sol : solution g (described (stacks g) (formula c))).
  { constructor.
    - intros x y v sx m sy'. destruct (exp x sx) as (b & mb & ib). exact (quiets b mb x y v ib m sy').
    - intros mi x v sx. rewrite mi in pb. destruct (exp x sx) as (b & mb & ib).
      destruct (both_lists_nth _ _ _ _ _ b pb mb) as (t & _ & w). eapply playable_sound; eauto.
    - intros x v.
      enough (answered g (formula c) x) by assumption.
      apply (everywhere g (formula c) (kinds c) m_all m_only syms sy (least c) (orbit c) (exchange c)); trivial.
      + destruct (least c) as [l|].
        * apply andb_prop in le. destruct le as [a b]. split; [now apply Nat.ltb_lt|].
          rewrite every_forall in b. intros o mo. specialize (b o mo). apply some_exists in b.
          destruct b as (s & ms & e). apply Nat.eqb_eq in e. eauto.
        * destruct (orbit c); [reflexivity|discriminate].
      + destruct (exchange c) as [[[a b] k]|]; [|trivial].
        destruct (nth_error syms k) as [s|] eqn:es; [|discriminate]. exists s.
        rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq in xc. destruct xc as [[[[la lb] ea] eb] r].
        repeat split; trivial. destruct (least c) as [l|]; trivial. apply andb_prop in r.
        destruct r as [el r]. apply Nat.eqb_eq in el. split; trivial. intros o mo.
        rewrite every_forall in r. specialize (r o mo). apply andb_prop in r. destruct r as [lo r].
        split; [now apply Nat.ltb_lt|]. apply existsb_exists in r. destruct r as (z & mz & e).
        apply Nat.eqb_eq in e. now rewrite e.
      + intros y vy h. eapply coverage_sound; eauto. }
  intros x vx. rewrite (P_is g _ sol x). tauto.
Qed.

(** * In plain words *)

(** The same without constraints that always hold. *)
Definition evident (r : row) : bool :=
  match r with
  | Ge [] | Eq [] => true
  | Ge [c] => 0 <=? c
  | Eq [c] => c =? 0
  | _ => false
  end.
Definition always (s : statement) : bool := match s with All_of [] => true | _ => false end.
Fixpoint tidy (s : statement) : statement :=
  match s with
  | Row r => if evident r then All_of [] else Row r
  | All_of l => All_of (filter (fun t => negb (always t)) (map tidy l))
  | Any_of l => if existsb always (map tidy l) then All_of [] else Any_of (map tidy l)
  end.

Lemma always_sat : forall s v, always s = true -> sat s v.
Proof. intros [r|[|s l]|l] v e; try discriminate. exact I. Qed.

Lemma tidy_sat : forall s v, sat (tidy s) v <-> sat s v.
Proof.
  fix IH 1. intros [r|l|l] v; cbn [tidy].
  - destruct (evident r) eqn:e; [|reflexivity]. split; [intros _|intros _; exact I].
    destruct r as [[|c [|]]|[|c [|]]]; try discriminate; cbn in *; lia.
  - rewrite !sat_all. induction l as [|s l IHl]; [reflexivity|]. cbn [map filter].
    rewrite Forall_cons_iff, <- IHl, <- (IH s v).
    destruct (always (tidy s)) eqn:a; cbn [negb]; [|now rewrite Forall_cons_iff].
    pose proof (always_sat _ v a). tauto.
  - assert (m : Exists (fun s => sat s v) (map tidy l) <-> Exists (fun s => sat s v) l).
    { induction l as [|s l IHl]; [reflexivity|]. cbn [map]. rewrite !Exists_cons, IHl, (IH s v). reflexivity. }
    rewrite (sat_any l v), <- m. destruct (existsb always (map tidy l)) eqn:e; [|apply sat_any].
    split; [intros _|intros _; exact I]. apply existsb_exists in e. destruct e as (s & i & a).
    apply Exists_exists. exists s. split; trivial. now apply always_sat.
Qed.

(** Without further integers, a statement is about the heights. *)
Lemma described_plain : forall n s, about n s = true -> forall x,
  described n s x <-> sat (tidy s) (fun i => Z.of_nat (height x i)).
Proof.
  intros n s b x. rewrite tidy_sat. split.
  - intros (v & a & h). exact (sat_ext n s v _ b a h).
  - intro h. exists (fun i => Z.of_nat (height x i)). split; trivial.
Qed.

Ltac in_numbers words :=
  let t := eval vm_compute in (tidy words) in change (tidy words) with t;
  cbv [sat holds value dot height nth];
  repeat first [apply Readable.both_iff | apply Readable.either_iff]; lia.
