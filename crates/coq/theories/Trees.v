(** (II) of games within games: cells and decision trees.

    A part is a game with a decision tree, which shows: for every position [p] there is a [q], nowhere
    taller, in one of the cells, such that [p] and [q] differ on stacks of one set only. So [p] lies in a
    cell, or a move leads from it into one. By induction on the tree, each of whose nodes is about
    positions with tokens on the live stacks only:
    - subtract a vector from [p] as often as it goes: then one of its stacks is empty. Add what was
      subtracted to the [q] of what is left: the move is the same;
    - leave out a stack that any move can empty: the move that is found empties it, too;
    - distinguish cases: a stack is empty or not, a form is at least 0 or at most -1, some stack is the
      least. What holds in a case is a row;
    - no position is left: multiples of rows add up to a negative number;
    - a move: [q] is a sum of vectors, taken as often as forms say;
    - go on as in an earlier part, whose stacks and cells have other names here. *)

From Coq Require Import Bool NArith ZArith Arith Lia List FMapPositive.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets Nimatron.Linear.
Import ListNotations.
Open Scope nat_scope.

(** * Certificates *)

Inductive tree :=
  | Subtract (v : N) (children : trees)
  | Empty (stack : nat) (t : tree)
  | Zero (stack : nat) (empty positive : tree)
  | Split (f : form) (yes no : tree)
  | Least (stacks : N) (children : trees)
  | Nothing (multiples : list (nat * Z))
  | Move (set : N) (cell : positive) (times : list (N * form))
  | Again (part : positive) (names : list nat) (cells : list positive)
with trees :=
  | Nil
  | Cons (t : tree) (rest : trees).

Scheme tree_ind2 := Induction for tree Sort Prop
  with trees_ind2 := Induction for trees Sort Prop.

(** A game with its cells, and what is assumed about its positions. *)
Record part := Part { size : nat; sets : list N; assumed : list row; spanned : list (list N) }.

(** * The checker *)

(** Is the 0/1 vector a sum of vectors of the list? *)
Definition lowest (v : N) : N := N.land v (N.lxor v (N.pred v)).
Fixpoint is_sum (fuel : nat) (vectors : list N) (v : N) : bool :=
  if N.eqb v 0 then true
  else match fuel with
  | 0 => false
  | S fuel' => let low := lowest v in
      some (fun g => if subset low g
        then if subset g v then is_sum fuel' vectors (N.ldiff v g) else false
        else false) vectors
  end.

(** A row under other names of the stacks. *)
Fixpoint rename (names : list nat) (f : form) : form :=
  match names, f with
  | s :: names', c :: f' => plus (scale c (unit s)) (rename names' f')
  | _, _ => []
  end.

Definition different (names : list nat) : bool :=
  every (fun i => index (nth i names 0) names =? i) (seq 0 (length names)).

Definition units (n : nat) : list row := map (fun i => (unit i, 0%Z)) (seq 0 n).

Section Check.
  Variable n : nat.
  Variable facets : list N.
  Variable cells : PositiveMap.t (list N).
  Variable parts : PositiveMap.t part.

  Definition sums (c : list N) (V : list N) : bool :=
    every (fun v => if among v c then true else is_sum n c v) V.

  (** A form is not negative where the rows hold. *)
  Definition at_least_0 (R : N) (rows : list row) (f : form) : bool :=
    if every (Z.leb 0) (within R f) then true
    else some (fun r => if (snd r <=? 0)%Z then same_form f (fst r) else false) rows.

  (** What is taken from stack [i] if so many of the vectors are left. *)
  Fixpoint taken (i : nat) (times : list (N * form)) : form :=
    match times with
    | [] => unit i
    | (g, f) :: times' => if has g i then plus (scale (-1) f) (taken i times') else taken i times'
    end.

  Definition check_move (R : N) (V : list N) (rows : list row) (facet : N) (cell : positive)
      (times : list (N * form)) : bool :=
    match PositiveMap.find cell cells with
    | None => false
    | Some c =>
        sums c V && sums c (map fst times) &&
        (if N.eqb facet 0 then true else some (subset facet) facets) &&
        every (fun gf => fits n (fst gf) && at_least_0 R rows (snd gf)) times &&
        every (fun i => if has facet i then at_least_0 R rows (taken i times)
                        else zero (within R (taken i times))) (seq 0 n)
    end.

  Definition check_again (R : N) (V : list N) (rows : list row) (k : positive) (names : list nat)
      (into : list positive) : bool :=
    match PositiveMap.find k parts with
    | None => false
    | Some p =>
        (length names =? size p) && different names && every (fun s => s <? n) names &&
        subset R (set names) &&
        every (fun f => let f' := image names f in some (subset f') facets) (sets p) &&
        every (fun r => let f := rename names (fst r) in
          some (fun r' => if (snd r =? snd r')%Z then same_form f (fst r') else false) rows) (assumed p) &&
        (length into =? length (spanned p)) &&
        every (fun ck => match PositiveMap.find (snd ck) cells with
          | None => false
          | Some c => sums c V && sums c (map (image names) (fst ck))
          end) (combine (spanned p) into)
    end.

  Definition cone (R : N) (stack : nat) : bool :=
    let R' := remove R stack in
    match facets with
    | [] => false
    | _ => every (fun f => let f' := add (N.land f R') stack in some (subset f') facets) facets
    end.

  Fixpoint check_tree (R : N) (V : list N) (rows : list row) (t : tree) : bool :=
    match t with
    | Subtract v children =>
        negb (N.eqb v 0) && fits n v && check_trees R (v :: V) (elements n v) children
    | Empty stack t => cone R stack && check_tree (remove R stack) V [] t
    | Zero stack empty positive =>
        check_tree (remove R stack) V rows empty &&
        check_tree R V (rows ++ [(unit stack, (-1)%Z)]) positive
    | Split f yes no =>
        check_tree R V (rows ++ [(f, 0%Z)]) yes &&
        check_tree R V (rows ++ [(scale (-1) f, (-1)%Z)]) no
    | Least s children =>
        negb (N.eqb s 0) && fits n s && check_least R V rows (elements n s) (elements n s) children
    | Nothing multiples => contradiction (units n ++ rows) multiples
    | Move facet cell times => check_move R V rows facet cell times
    | Again k names into => check_again R V rows k names into
    end
  with check_trees (R : N) (V : list N) (empty : list nat) (ts : trees) : bool :=
    match empty, ts with
    | [], Nil => true
    | i :: rest, Cons t ts' => check_tree (remove R i) V [] t && check_trees R V rest ts'
    | _, _ => false
    end
  with check_least (R : N) (V : list N) (rows : list row) (all left : list nat) (ts : trees) : bool :=
    match left, ts with
    | [], Nil => true
    | i :: rest, Cons t ts' =>
        check_tree R V (rows ++ map (fun k => (plus (unit k) (scale (-1) (unit i)), 0%Z))
          (filter (fun k => negb (k =? i)) all)) t &&
        check_least R V rows all rest ts'
    | _, _ => false
    end.
End Check.

Definition check_part (parts : PositiveMap.t part) (p : part) (t : tree) : bool :=
  let n := size p in
  every (every (fits n)) (spanned p) && every (fits n) (sets p) &&
  check_tree n (sets p) (table (spanned p)) parts (N.ones (N.of_nat n)) [] (assumed p) t.

Fixpoint check_parts (next : positive) (parts : PositiveMap.t part) (l : list (part * tree)) :
    option (PositiveMap.t part) :=
  match l with
  | [] => Some parts
  | (p, t) :: rest =>
      if check_part parts p t
      then check_parts (Pos.succ next) (PositiveMap.add next p parts) rest
      else None
  end.

(** * Why it is right *)

Definition heights := nat -> nat.
Definition spans (c : list N) (q : heights) : Prop := exists t, forall i, q i = total c t i.

Lemma total_zero : forall c i, total c [] i = 0.
Proof. now destruct c. Qed.

Fixpoint add_times (s t : list nat) : list nat :=
  match s, t with
  | [], _ => t
  | _, [] => s
  | a :: s', b :: t' => a + b :: add_times s' t'
  end.

Lemma total_add : forall c s t i, total c (add_times s t) i = total c s i + total c t i.
Proof.
  induction c as [|g c IH]; intros [|a s] [|b t] i; simpl; try lia.
  rewrite IH. destruct (has g i); lia.
Qed.

Lemma spans_plus : forall c q r, spans c q -> spans c r -> spans c (fun i => q i + r i).
Proof.
  intros c q r [s a] [t b]. exists (add_times s t). intro i. now rewrite total_add, a, b.
Qed.

Lemma spans_ext : forall c q r, (forall i, q i = r i) -> spans c q -> spans c r.
Proof. intros c q r e [t a]. exists t. intro i. now rewrite <- e. Qed.

Lemma spans_zero : forall c, spans c (fun _ => 0).
Proof. intro c. exists []. intro. now rewrite total_zero. Qed.

Lemma spans_in : forall c v, In v c -> spans c (one v).
Proof.
  induction c as [|g c IH]; intros v i; [contradiction|]. destruct i as [->|i].
  - exists [1]. intro i. simpl. rewrite total_zero. unfold one. destruct (has v i); lia.
  - destruct (IH v i) as [t a]. exists (0 :: t). intro k. simpl. rewrite a.
    now destruct (has g k).
Qed.

Lemma is_sum_spans : forall fuel c v, is_sum fuel c v = true -> spans c (one v).
Proof.
  assert (empty : forall c v, N.eqb v 0 = true -> spans c (one v)).
  { intros c v e. apply N.eqb_eq in e; subst; apply spans_ext with (q := fun _ => 0);
      [intro; unfold one; now rewrite has_0|apply spans_zero]. }
  induction fuel as [|fuel IH]; intros c v e; simpl in e; destruct (N.eqb v 0) eqn:z; auto; try discriminate.
  apply some_exists in e. destruct e as (g & i & e).
  destruct (subset (lowest v) g); [|discriminate]. destruct (subset g v) eqn:s; [|discriminate].
  apply IH in e. pose proof (subset_has _ _ s) as sub.
  apply spans_ext with (q := fun i => one g i + one (N.ldiff v g) i).
  - intro k. unfold one. rewrite has_ldiff. specialize (sub k).
    destruct (has g k), (has v k); simpl; trivial. now specialize (sub eq_refl).
  - apply spans_plus; trivial. now apply spans_in.
Qed.

Lemma spans_times : forall c g m, spans c (one g) -> spans c (fun i => m * one g i).
Proof.
  intros c g m s. induction m as [|m IH].
  - apply spans_ext with (q := fun _ => 0); [intro; lia|apply spans_zero].
  - apply spans_ext with (q := fun i => one g i + m * one g i); [intro; lia|now apply spans_plus].
Qed.

Lemma spans_total : forall c l t, (forall g, In g l -> spans c (one g)) -> spans c (total l t).
Proof.
  intros c. induction l as [|g l IH]; intros t h.
  - apply spans_ext with (q := fun _ => 0); [reflexivity|apply spans_zero].
  - destruct t as [|m t]; [apply spans_ext with (q := fun _ => 0); [reflexivity|apply spans_zero]|].
    apply spans_ext with (q := fun i => m * one g i + total l t i).
    + intro i. simpl. unfold one. destruct (has g i); lia.
    + apply spans_plus; [apply spans_times, h; now left|apply IH; intros; apply h; now right].
Qed.

Lemma sums_spans : forall n c V, sums n c V = true -> forall v, In v V -> spans c (one v).
Proof.
  unfold sums. intros n c V h v m. rewrite every_forall in h. specialize (h v m).
  destruct (among v c) eqn:e; [now apply spans_in, among_in|now apply is_sum_spans with n].
Qed.

Lemma find_combine_from : forall A B (l : list A) (m : list B) j k a b0, length m = length l ->
  PositiveMap.find k (table_from j l) = Some a -> (j <= k)%positive ->
  In (a, nth (Pos.to_nat k - Pos.to_nat j) m b0) (combine l m).
Proof.
  intros A B. induction l as [|x l IH]; intros m j k a b0 len f le; cbn [table_from] in f.
  - rewrite PositiveMap.gempty in f. discriminate.
  - destruct m as [|y m]; [discriminate|]. destruct (Pos.eq_dec k j) as [->|ne].
    + rewrite PositiveMap.gss in f. injection f as ->. rewrite Nat.sub_diag. now left.
    + rewrite PositiveMap.gso in f by trivial. right.
      replace (nth (Pos.to_nat k - Pos.to_nat j) (y :: m) b0)
        with (nth (Pos.to_nat k - Pos.to_nat (Pos.succ j)) m b0).
      * apply IH; trivial; [now injection len|lia].
      * replace (Pos.to_nat k - Pos.to_nat j) with (S (Pos.to_nat k - Pos.to_nat (Pos.succ j))) by lia.
        reflexivity.
Qed.

Lemma find_combine : forall A B (l : list A) (m : list B) k a b0, length m = length l ->
  PositiveMap.find k (table l) = Some a -> In (a, nth (Pos.to_nat k - 1) m b0) (combine l m).
Proof.
  intros A B l m k a b0 len f. apply (find_combine_from A B l m 1%positive k a b0); trivial. lia.
Qed.

Definition lowers (facets : list N) (q r : heights) : Prop :=
  (forall i, r i <= q i) /\
  ((forall i, r i = q i) \/ exists f, In f facets /\ forall i, r i <> q i -> has f i = true).
Definition inside (R : N) (q : heights) : Prop := forall i, has R i = false -> q i = 0.

(** What a part claims. *)
Definition good (p : part) : Prop := forall q, (forall i, size p <= i -> q i = 0) ->
  (forall r, In r (assumed p) -> holds q r) ->
  exists k c r, PositiveMap.find k (table (spanned p)) = Some c /\ lowers (sets p) q r /\ spans c r.

Section Sound.
  Variable n : nat.
  Variable facets : list N.
  Variable cs : list (list N).
  Variable parts : PositiveMap.t part.
  Hypothesis cs_fit : forall c, In c cs -> forall g, In g c -> fits n g = true.
  Hypothesis parts_good : forall k p, PositiveMap.find k parts = Some p -> good p.
  Hypothesis parts_fit : forall k p, PositiveMap.find k parts = Some p ->
    (forall c, In c (spanned p) -> forall g, In g c -> fits (size p) g = true) /\
    (forall f, In f (sets p) -> fits (size p) f = true).

  Definition escapes (V : list N) (q : heights) : Prop :=
    exists k c r, PositiveMap.find k (table cs) = Some c /\ lowers facets q r /\ spans c r /\
      forall v, In v V -> spans c (one v).
  Definition sound (R : N) (V : list N) (rows : list row) : Prop :=
    forall q, inside R q -> (forall r, In r rows -> holds q r) -> escapes V q.

  Lemma escapes_ext : forall V q r, (forall i, q i = r i) -> escapes V q -> escapes V r.
  Proof.
    intros V q r e (k & c & p & f & (le & d) & rest). exists k, c, p. split; trivial. split; trivial.
    split; [intro i; rewrite <- e; apply le|]. destruct d as [d|(s & ms & d)].
    - left. intro i. rewrite <- e. apply d.
    - right. exists s. split; trivial. intro i. rewrite <- e. apply d.
  Qed.

  Lemma escapes_plus : forall V v q, In v V -> escapes V q -> escapes V (fun i => q i + one v i).
  Proof.
    intros V v q m (k & c & r & f & (le & d) & sp & h).
    exists k, c, (fun i => r i + one v i). split; trivial. split; [|split; trivial].
    - split; [intro i; specialize (le i); lia|]. destruct d as [d|(s & ms & d)].
      + left. intro i. now rewrite d.
      + right. exists s. split; trivial. intros i ne. apply d. lia.
    - apply spans_plus; auto.
  Qed.

  Lemma inside_remove : forall R i q, inside R q -> q i = 0 -> inside (remove R i) q.
  Proof.
    intros R i q ins z j h. rewrite has_remove in h. apply andb_false_iff in h.
    destruct h as [h|h]; [now apply ins|]. apply negb_false_iff, Nat.eqb_eq in h. now subst.
  Qed.

  Lemma empty_or_positive : forall (q : heights) l,
    (exists i, In i l /\ q i = 0) \/ forall i, In i l -> 1 <= q i.
  Proof.
    intros q l. induction l as [|a l [(i & m & z)|p]]; [now right|left; exists i; simpl; auto|].
    destruct (q a) eqn:e; [left; exists a; simpl; auto|]. right. intros i [<-|m]; [lia|auto].
  Qed.

  Lemma sound_subtract : forall R V v, fits n v = true -> v <> 0%N ->
    (forall i, In i (elements n v) -> sound (remove R i) (v :: V) []) -> forall rows, sound R V rows.
  Proof.
    intros R V v fv nz ch rows.
    assert (ne : exists s, has v s = true).
    { destruct (elements n v) as [|s l] eqn:e.
      - exfalso. apply nz. apply has_ext. intro i. rewrite has_0.
        destruct (has v i) eqn:h; trivial. exfalso.
        assert (In i (elements n v)) by (apply in_elements; split; [eapply fits_has; eauto|trivial]).
        rewrite e in H. contradiction.
      - exists s. assert (In s (elements n v)) as i by (rewrite e; now left).
        now apply in_elements in i. }
    destruct ne as [s hs].
    assert (all : forall q, inside R q -> escapes (v :: V) q).
    { intros q. remember (q s) as k eqn:ek. revert q ek.
      induction k as [k IH] using lt_wf_ind. intros q -> ins.
      destruct (empty_or_positive q (elements n v)) as [(i & mi & z)|pos].
      - apply (ch i mi); [now apply inside_remove|]. intros r [].
      - assert (pos' : forall i, has v i = true -> 1 <= q i).
        { intros i h. apply pos, in_elements. split; [eapply fits_has; eauto|trivial]. }
        apply escapes_ext with (q := fun i => (q i - one v i) + one v i).
        { intro i. unfold one. destruct (has v i) eqn:h; [specialize (pos' i h)|]; lia. }
        apply escapes_plus with (q := fun i => q i - one v i); [now left|].
        apply (IH (q s - one v s)); trivial.
        + unfold one. rewrite hs. specialize (pos' s hs). lia.
        + intros i h. rewrite (ins i h). lia. }
    intros q ins _. destruct (all q ins) as (k & c & r & f & lo & sp & h).
    exists k, c, r. do 3 (split; trivial). intros w m. apply h. now right.
  Qed.

  Lemma sound_cone : forall R V s, cone facets R s = true -> sound (remove R s) V [] ->
    forall rows, sound R V rows.
  Proof.
    intros R V s co g rows q ins _.
    assert (fne : facets <> []) by (intros e; unfold cone in co; rewrite e in co; discriminate).
    assert (co' : forall f, In f facets -> some (subset (add (N.land f (remove R s)) s)) facets = true).
    { apply every_forall. unfold cone in co. destruct facets; [discriminate|exact co]. }
    clear co. rename co' into co.
    pose (q1 := fun i => if i =? s then 0 else q i).
    assert (i1 : inside (remove R s) q1).
    { intros i h. unfold q1. rewrite has_remove in h. rewrite Nat.eqb_sym in h.
      destruct (i =? s); trivial. simpl in h. rewrite andb_true_r in h. now apply ins. }
    destruct (g q1 i1) as (k & c & r & fk & (le & d) & rest); [intros r []|].
    exists k, c, r. split; trivial. split; trivial. split.
    - intro i. specialize (le i). unfold q1 in le. destruct (i =? s); lia.
    - right.
      assert (fs : exists f, In f facets /\ forall i, r i <> q1 i -> has f i = true).
      { destruct d as [d|d]; trivial. destruct facets as [|f fs]; [congruence|]. exists f.
        split; [now left|]. intros i ne. exfalso. now apply ne. }
      destruct fs as (f & mf & df). specialize (co f mf). apply some_exists in co.
      destruct co as (f' & mf' & sub). exists f'. split; trivial. intros i ne.
      apply (subset_has _ _ sub). rewrite has_add. destruct (s =? i) eqn:e; trivial.
      rewrite orb_false_l, has_land. apply andb_true_iff. unfold q1 in *. rewrite Nat.eqb_sym in e. split.
      + apply df. now rewrite e.
      + destruct (has (remove R s) i) eqn:h; trivial. exfalso. apply ne.
        specialize (i1 i h). specialize (le i). unfold q1 in i1. rewrite e in i1, le. lia.
  Qed.

  Lemma at_least_0_sound : forall R rows f q, at_least_0 R rows f = true -> inside R q ->
    (forall r, In r rows -> holds q r) -> (0 <= value f q)%Z.
  Proof.
    unfold at_least_0. intros R rows f q e ins h. destruct (every (Z.leb 0) (within R f)) eqn:ev.
    - rewrite <- (value_within R f q ins). apply value_nonneg. apply forallb_forall.
      now rewrite every_forall in ev.
    - apply some_exists in e. destruct e as (r & m & e).
      destruct (Z.leb_spec (snd r) 0); [|discriminate]. rewrite (value_same _ _ q e).
      specialize (h r m). unfold holds in h. lia.
  Qed.

  Definition left_over (q : heights) (times : list (N * form)) : heights :=
    total (map fst times) (map (fun gf => Z.to_nat (value (snd gf) q)) times).

  Lemma value_taken : forall i q times, (forall g f, In (g, f) times -> (0 <= value f q)%Z) ->
    value (taken i times) q = (Z.of_nat (q i) - Z.of_nat (left_over q times i))%Z.
  Proof.
    intros i q. unfold left_over. induction times as [|[g f] times IH]; intros pos.
    - simpl. rewrite value_unit. lia.
    - simpl. specialize (IH (fun g f m => pos g f (or_intror m))).
      pose proof (pos g f (or_introl eq_refl)).
      destruct (has g i); [rewrite value_plus, value_scale|]; rewrite IH; lia.
  Qed.

  Lemma move_sound : forall R V rows facet cell times, fits n R = true ->
    check_move n facets (table cs) R V rows facet cell times = true -> sound R V rows.
  Proof.
    intros R V rows facet cell times fr ok q ins h. unfold check_move in ok.
    destruct (PositiveMap.find cell (table cs)) as [c|] eqn:fc; [|discriminate].
    rewrite !andb_true_iff, !every_forall in ok. destruct ok as [[[[sv st] fm] ps] ss].
    assert (pos : forall g f, In (g, f) times -> (0 <= value f q)%Z).
    { intros g f m. specialize (ps _ m). apply andb_prop in ps. destruct ps as [_ p].
      eapply at_least_0_sound; eauto. }
    assert (out : forall i, ~ i < n -> q i = 0 /\ left_over q times i = 0).
    { intros i l. split.
      - apply ins. destruct (has R i) eqn:e; trivial. apply (fits_has n R fr) in e. lia.
      - unfold left_over. clear - ps l. induction times as [|[g f] times IH]; simpl; trivial.
        rewrite IH by (intros; apply ps; now right). specialize (ps _ (or_introl eq_refl)).
        apply andb_prop in ps. destruct ps as [p _]. simpl in p.
        destruct (has g i) eqn:e; [|lia]. apply (fits_has n g p) in e. lia. }
    assert (left_ : forall i, i < n -> left_over q times i <= q i /\
      (has facet i = false -> left_over q times i = q i)).
    { intros i l. specialize (ss i). rewrite in_seq in ss. specialize (ss ltac:(lia)).
      pose proof (value_taken i q times pos) as e. destruct (has facet i) eqn:hf.
      - pose proof (at_least_0_sound _ _ _ _ ss ins h). split; [lia|discriminate].
      - assert (value (taken i times) q = 0%Z).
        { rewrite <- (value_within R _ q ins). now apply value_all_zero. }
        split; lia. }
    exists cell, c, (left_over q times). split; trivial. split; [|split].
    - split.
      + intro i. destruct (lt_dec i n) as [l|l]; [now apply left_|]. destruct (out i l). lia.
      + assert (diff : forall i, left_over q times i <> q i -> has facet i = true).
        { intros i ne. destruct (lt_dec i n) as [l|l].
          - destruct (has facet i) eqn:e; trivial. exfalso. apply ne. now apply left_.
          - destruct (out i l). lia. }
        destruct (N.eqb_spec facet 0) as [->|nz].
        * left. intro i. destruct (Nat.eq_dec (left_over q times i) (q i)) as [|ne]; trivial.
          apply diff in ne. rewrite has_0 in ne. discriminate.
        * right. apply some_exists in fm. destruct fm as (f & mf & sub). exists f. split; trivial.
          intros i ne. apply (subset_has _ _ sub). now apply diff.
    - unfold left_over. apply spans_total. intros g m. now apply (sums_spans n c _ st).
    - now apply (sums_spans n c _ sv).
  Qed.

  (** Other names. *)
  Lemma value_rename_all : forall names f q, value (rename names f) q =
    value f (fun i => if i <? length names then q (nth i names 0) else 0).
  Proof.
    induction names as [|s names IH]; intros f q.
    - transitivity (value_from 0 f (fun _ => 0)); [symmetry; apply value_from_zero|].
      apply value_from_ext. intros k _. now destruct k.
    - destruct f as [|c f]; [reflexivity|]. cbn [rename]. rewrite value_plus, value_scale, value_unit, IH.
      unfold value. cbn [value_from]. rewrite (value_from_shift f). reflexivity.
  Qed.

  Lemma has_named : forall names v k, different names = true ->
    has (image names v) k = true <-> exists i, i < length names /\ nth i names 0 = k /\ has v i = true.
  Proof.
    intros names v k d. unfold image. rewrite has_set, in_map_iff. split.
    - intros (i & e & m). apply filter_In in m. destruct m as [m h]. apply in_seq in m. exists i. split; [lia|auto].
    - intros (i & l & e & h). exists i. split; trivial. apply filter_In. split; trivial. apply in_seq. lia.
  Qed.

  Lemma different_index : forall names i, different names = true -> i < length names ->
    index (nth i names 0) names = i.
  Proof.
    intros names i d l. unfold different in d. rewrite every_forall in d. apply Nat.eqb_eq, d, in_seq. lia.
  Qed.

  Lemma index_nth : forall names k, In k names ->
    index k names < length names /\ nth (index k names) names 0 = k.
  Proof.
    induction names as [|a names IH]; intros k i; [contradiction|]. simpl.
    destruct (Nat.eqb_spec a k) as [->|ne]; [split; [lia|trivial]|].
    destruct i as [|i]; [contradiction|]. destruct (IH k i). split; [lia|trivial].
  Qed.

  Lemma again_sound : forall R V rows k names into, 
    check_again n facets (table cs) parts R V rows k names into = true -> sound R V rows.
  Proof.
    intros R V rows k names into ok q ins h. unfold check_again in ok.
    destruct (PositiveMap.find k parts) as [p|] eqn:fp; [|discriminate].
    cbv zeta in ok. rewrite !andb_true_iff, !every_forall in ok.
    destruct ok as [[[[[[[len df] ln] live] fs] rs] li] ck]. apply Nat.eqb_eq in len, li.
    destruct (parts_fit k p fp) as [cf sf].
    pose (q' := fun i => if i <? length names then q (nth i names 0) else 0).
    destruct (parts_good k p fp q') as (j & c & r & fc & (le & d) & sp).
    - intros i l. unfold q'. destruct (Nat.ltb_spec i (length names)); [lia|trivial].
    - intros [f e] m. specialize (rs _ m). apply some_exists in rs. destruct rs as ([f' e'] & m' & s).
      cbn [fst snd] in s. destruct (Z.eqb_spec e e') as [<-|]; [|discriminate].
      specialize (h _ m'). unfold holds in *. cbn [fst snd] in *.
      rewrite <- (value_same _ _ q s) in h. rewrite value_rename_all in h. exact h.
    - assert (mc : In (c, nth (Pos.to_nat j - 1) into 1%positive) (combine (spanned p) into)).
      { apply find_combine; trivial. }
      specialize (ck _ mc). cbn [fst snd] in ck.
      destruct (PositiveMap.find (nth (Pos.to_nat j - 1) into 1%positive) (table cs)) as [c'|] eqn:fc'; [|discriminate].
      apply andb_prop in ck. destruct ck as [sv sg].
      pose (r' := fun s => if existsb (Nat.eqb s) names then r (index s names) else 0).
      assert (mem : forall s, existsb (Nat.eqb s) names = true <-> In s names).
      { intro s. rewrite existsb_exists. split.
        - intros (t & m & e). apply Nat.eqb_eq in e. now subst.
        - intro m. exists s. split; trivial. apply Nat.eqb_refl. }
      assert (zero_out : forall s, ~ In s names -> q s = 0).
      { intros s ns. apply ins. destruct (has R s) eqn:e; trivial. exfalso. apply ns.
        apply (subset_has _ _ live) in e. now apply has_set. }
      assert (q_index : forall s, In s names -> q' (index s names) = q s).
      { intros s m. destruct (index_nth names s m) as [a b]. unfold q'. apply Nat.ltb_lt in a. now rewrite a, b. }
      exists (nth (Pos.to_nat j - 1) into 1%positive), c', r'. split; trivial. split; [|split].
      + split.
        * intro s. unfold r'. destruct (existsb (Nat.eqb s) names) eqn:e; [|lia]. apply mem in e.
          rewrite <- (q_index s e). apply le.
        * destruct d as [d|(f & mf & d)].
          -- left. intro s. unfold r'. destruct (existsb (Nat.eqb s) names) eqn:e.
             ++ apply mem in e. now rewrite d, q_index.
             ++ symmetry. apply zero_out. intro m. apply mem in m. congruence.
          -- right. specialize (fs f mf). apply some_exists in fs. destruct fs as (f' & mf' & sub).
             exists f'. split; trivial. intros s ne. apply (subset_has _ _ sub).
             unfold r' in ne. destruct (existsb (Nat.eqb s) names) eqn:e.
             ++ apply mem in e. destruct (index_nth names s e) as [a b].
                apply has_named; trivial. exists (index s names). split; trivial. split; trivial.
                apply d. now rewrite q_index.
             ++ exfalso. apply ne. symmetry. apply zero_out. intro m. apply mem in m. congruence.
      + destruct sp as [t st]. apply spans_ext with (q := total (map (image names) c) t).
        * assert (mcc : In c (spanned p)) by (eapply find_table; eauto).
          intro s. unfold r'. destruct (existsb (Nat.eqb s) names) eqn:e.
          -- apply mem in e. destruct (index_nth names s e) as [a b]. rewrite st. clear st.
             revert t. generalize (cf c mcc). clear - df a b e. induction c as [|g c IH]; intros gf [|m t]; simpl; trivial.
             rewrite IH by (intros; apply gf; now right). f_equal.
             replace (has (image names g) s) with (has g (index s names)); trivial.
             apply eq_true_iff_eq. rewrite (has_named names g s df). split.
             ++ intro hg. exists (index s names). auto.
             ++ intros (i & l & en & hg). rewrite <- en, different_index; trivial.
          -- clear st. revert t. clear - df e mem. induction c as [|g c IH]; intros [|m t]; simpl; trivial.
             assert (z : has (image names g) s = false).
             { apply not_true_iff_false. intro hg. apply (has_named names g s df) in hg.
               destruct hg as (i & l & en & _). assert (In s names) by (rewrite <- en; now apply nth_In).
               apply mem in H. congruence. }
             rewrite z. apply IH.
        * apply spans_total. now apply (sums_spans n).
      + now apply (sums_spans n c' _ sv).
  Qed.
End Sound.

Section Trees.
  Variable n : nat.
  Variable facets : list N.
  Variable cs : list (list N).
  Variable parts : PositiveMap.t part.
  Hypothesis parts_good : forall k p, PositiveMap.find k parts = Some p -> good p.
  Hypothesis parts_fit : forall k p, PositiveMap.find k parts = Some p ->
    (forall c, In c (spanned p) -> forall g, In g c -> fits (size p) g = true) /\
    (forall f, In f (sets p) -> fits (size p) f = true).

  Lemma fits_remove : forall R i, fits n R = true -> fits n (remove R i) = true.
  Proof.
    intros R i f. apply has_fits. intros k h. rewrite has_remove in h. apply andb_prop in h.
    now apply (fits_has n R f).
  Qed.

  Lemma smallest : forall (q : heights) (l : list nat), l <> [] ->
    exists i, In i l /\ forall j, In j l -> q i <= q j.
  Proof.
    intros q. induction l as [|a l IH]; [congruence|]. intros _. destruct l as [|b l].
    - exists a. split; [now left|]. intros j [<-|[]]. lia.
    - destruct IH as (i & m & le); [congruence|]. destruct (le_lt_dec (q a) (q i)) as [x|x].
      + exists a. split; [now left|]. intros j [<-|mj]; [lia|]. specialize (le j mj). lia.
      + exists i. split; [now right|]. intros j [<-|mj]; [lia|]. auto.
  Qed.

  Let sound' := sound facets cs.

  Lemma tree_sound : forall t R V rows, fits n R = true ->
    check_tree n facets (table cs) parts R V rows t = true -> sound' R V rows.
  Proof.
    apply (tree_ind2
      (fun t => forall R V rows, fits n R = true ->
        check_tree n facets (table cs) parts R V rows t = true -> sound' R V rows)
      (fun ts => (forall R V l, fits n R = true ->
          check_trees n facets (table cs) parts R V l ts = true ->
          forall i, In i l -> sound' (remove R i) V []) /\
        (forall R V rows all l, fits n R = true ->
          check_least n facets (table cs) parts R V rows all l ts = true ->
          forall i, In i l -> sound' R V (rows ++ map (fun k => (plus (unit k) (scale (-1) (unit i)), 0%Z))
            (filter (fun k => negb (k =? i)) all))))).
    - intros v ch [IH _] R V rows fr ok. cbn in ok. rewrite !andb_true_iff in ok. destruct ok as [[nz fv] ok].
      apply negb_true_iff, N.eqb_neq in nz. apply (sound_subtract n) with v; trivial. now apply IH.
    - intros s t IH R V rows fr ok. cbn in ok. apply andb_prop in ok. destruct ok as [a b].
      apply sound_cone with s; trivial. apply IH; trivial. now apply fits_remove.
    - intros s e IHe p IHp R V rows fr ok. cbn in ok. apply andb_prop in ok. destruct ok as [a b].
      intros q ins h. destruct (Nat.eq_dec (q s) 0) as [z|nz].
      + apply (IHe _ _ _ (fits_remove R s fr) a q); trivial. now apply inside_remove.
      + apply (IHp _ _ _ fr b q); trivial. intros r m. apply in_app_or in m.
        destruct m as [m|[<-|[]]]; auto. unfold holds. cbn [fst snd]. rewrite value_unit. lia.
    - intros f y IHy no IHn R V rows fr ok. cbn in ok. apply andb_prop in ok. destruct ok as [a b].
      intros q ins h. destruct (Z_le_gt_dec 0 (value f q)) as [p|p].
      + apply (IHy _ _ _ fr a q ins). intros x m. apply in_app_or in m.
        destruct m as [m|[<-|[]]]; auto. unfold holds. cbn [fst snd]. lia.
      + apply (IHn _ _ _ fr b q ins). intros x m. apply in_app_or in m.
        destruct m as [m|[<-|[]]]; auto. unfold holds. cbn [fst snd]. rewrite value_scale. lia.
    - intros s ch [_ IH] R V rows fr ok. cbn in ok. rewrite !andb_true_iff in ok. destruct ok as [[nz fs] ok].
      apply negb_true_iff, N.eqb_neq in nz. intros q ins h.
      assert (ne : elements n s <> []).
      { intro e. apply nz. apply has_ext. intro i. rewrite has_0. destruct (has s i) eqn:hi; trivial.
        exfalso. assert (In i (elements n s)) by (apply in_elements; split; [eapply fits_has; eauto|trivial]).
        rewrite e in H. contradiction. }
      destruct (smallest q _ ne) as (i & mi & le).
      apply (IH R V rows _ _ fr ok i mi q ins). intros r m. apply in_app_or in m. destruct m as [m|m]; auto.
      apply in_map_iff in m. destruct m as (k & <- & m). apply filter_In in m. destruct m as [m _].
      unfold holds. cbn [fst snd]. rewrite value_plus, value_scale, !value_unit. specialize (le k m). lia.
    - intros ms R V rows fr ok q ins h. cbn in ok. exfalso. eapply contradiction_sound; eauto.
      intros r m. apply in_app_or in m. destruct m as [m|m]; auto. apply in_map_iff in m.
      destruct m as (i & <- & _). unfold holds. cbn [fst snd]. rewrite value_unit. lia.
    - intros f c times R V rows fr ok. cbn in ok. eapply move_sound; eauto.
    - intros k names into R V rows fr ok. cbn in ok. eapply again_sound; eauto.
    - split.
      + intros R V l fr ok i m. destruct l; [contradiction|discriminate].
      + intros R V rows all l fr ok i m. destruct l; [contradiction|discriminate].
    - intros t IHt ts [IH1 IH2]. split.
      + intros R V l fr ok i m. destruct l as [|j l]; [discriminate|].
        cbn in ok. apply andb_prop in ok. destruct ok as [a b]. destruct m as [<-|m].
        * apply IHt; trivial. now apply fits_remove.
        * now apply (IH1 R V l).
      + intros R V rows all l fr ok i m. destruct l as [|j l]; [discriminate|].
        cbn in ok. apply andb_prop in ok. destruct ok as [a b]. destruct m as [<-|m].
        * now apply IHt.
        * now apply (IH2 R V rows all l).
  Qed.
End Trees.

Definition fine (p : part) : Prop :=
  good p /\ (forall c, In c (spanned p) -> forall g, In g c -> fits (size p) g = true) /\
  (forall f, In f (sets p) -> fits (size p) f = true).

Lemma part_sound : forall parts p t,
  (forall k p, PositiveMap.find k parts = Some p -> fine p) ->
  check_part parts p t = true -> fine p.
Proof.
  intros parts p t pf ok. unfold check_part in ok. rewrite !andb_true_iff, !every_forall in ok.
  destruct ok as [[cf sf] ok].
  assert (cf' : forall c, In c (spanned p) -> forall g, In g c -> fits (size p) g = true).
  { intros c m. now apply every_forall, cf. }
  split; [|split]; trivial. intros q out h.
  assert (ones : forall i, has (N.ones (N.of_nat (size p))) i = (i <? size p)).
  { intro i. rewrite has_testbit. destruct (Nat.ltb_spec i (size p)).
    - apply N.ones_spec_low. lia.
    - apply N.ones_spec_high. lia. }
  destruct (tree_sound (size p) (sets p) (spanned p) parts (fun k p f => proj1 (pf k p f))
    (fun k p f => proj2 (pf k p f)) t _ _ _ (has_fits _ _ (fun i h => proj1 (Nat.ltb_lt _ _) (eq_trans (eq_sym (ones i)) h))) ok q)
    as (k & c & r & f & lo & sp & _); trivial.
  - intros i e. apply out. rewrite ones in e. now apply Nat.ltb_ge.
  - exists k, c, r. auto.
Qed.

Lemma parts_sound : forall l next parts parts',
  (forall k p, PositiveMap.find k parts = Some p -> fine p) ->
  check_parts next parts l = Some parts' ->
  forall k p, PositiveMap.find k parts' = Some p -> fine p.
Proof.
  induction l as [|[p t] l IH]; intros next parts parts' pf ok; simpl in ok.
  - injection ok as <-. trivial.
  - destruct (check_part parts p t) eqn:cp; [|discriminate].
    apply (IH (Pos.succ next) (PositiveMap.add next p parts)); trivial.
    intros k p' f. destruct (Pos.eq_dec k next) as [->|ne].
    + rewrite PositiveMap.gss in f. injection f as <-. eapply part_sound; eauto.
    + rewrite PositiveMap.gso in f by trivial. eauto.
Qed.
