(** Games within games: the cells are reached by decision trees (theory [Trees]), which is (II).

    For (I), weights: if the value of a form is at most 0 at the vectors of one cell, at least 0 at those
    of another, and at least 1 at each stack of a set, no move on the set leads from the first cell
    to the second: it would lower the value. *)

From Coq Require Import Bool NArith ZArith Arith Lia List FMapPositive.
Require Import Nimatron.Game Nimatron.Solution Nimatron.Sets Nimatron.Linear.
Require Export Nimatron.Trees.
Import ListNotations.
Open Scope nat_scope.

(** * The checker *)

(** (I): for each weight the cells that may come first, and, as a set, those that may come second. *)
Definition first_ok (w : form) (c : list N) : bool := every (fun g => at_set w g <=? 0)%Z c.
Definition second_ok (w : form) (c : list N) : bool := every (fun g => 0 <=? at_set w g)%Z c.
Definition served (rows : list (list bool * N)) : N :=
  fold_right (fun r acc => match fst r with true :: _ => N.lor (snd r) acc | _ => acc end) 0%N rows.
Fixpoint all_served (full : N) (cs : list (list N)) (rows : list (list bool * N)) : bool :=
  match cs with
  | [] => true
  | _ :: cs' => N.eqb (served rows) full &&
      all_served full cs' (map (fun r => (tl (fst r), snd r)) rows)
  end.
Definition check_weights (n : nat) (all : list (list N)) (fw : N * list form) : bool :=
  let (f, ws) := fw in
  forallb (fun w => (length w =? n) && forallb (fun i => 1 <=? nth i w 0)%Z (elements n f)) ws &&
  all_served (bits (map (fun _ => true) all)) all
    (map (fun w => (map (first_ok w) all, bits (map (second_ok w) all))) ws).

Definition same_list (s t : list nat) : bool := if list_eq_dec Nat.eq_dec s t then true else false.

(** The cells are all images of the generators under the relabellings. *)
Record certificate := Certificate {
  relabellings : list (list nat);
  generators : list (list N);
  earlier : list (part * tree);
  outermost : tree;
  weights : list (N * list form)
}.

Definition check (g : game) (c : certificate) : bool :=
  let n := stacks g in
  let facets := map snd (plays g) in
  let syms := relabellings c in
  let all := sym syms (generators c) in
  negb (misere g) &&
  forallb (fun p => match fst p with Any => fits n (snd p) | _ => false end) (plays g) &&
  forallb (forallb (fits n)) (generators c) &&
  forallb (fun s => relabelling n s && forallb (fun f => among (image s f) facets) facets &&
    forallb (fun t => existsb (same_list (compose s t)) syms) syms) syms &&
  match check_parts 1 (PositiveMap.empty part) (earlier c) with
  | None => false
  | Some parts => check_part parts (Part n facets [] all) (outermost c)
  end &&
  forallb (fun f => existsb (fun s => let f' := image s f in
    existsb (fun w => subset f' (fst w)) (weights c)) syms) facets &&
  forallb (check_weights n all) (weights c).

(** * Why it is right *)

(** Relabelling. *)
Definition push (n : nat) (s : list nat) (q : heights) : heights :=
  fun k => if k <? n then q (index k s) else 0.

Lemma spans_push : forall n s c q, relabelling n s = true -> spans c q ->
  spans (map (image s) c) (push n s q).
Proof.
  intros n s c q ok [t e]. exists t. intro k. unfold push.
  assert (T : total (map (image s) c) t k = if k <? n then total c t (index k s) else 0).
  { clear e. revert t. induction c as [|g c IH]; intros [|a t]; simpl; try (now destruct (k <? n)).
    rewrite IH, (has_image n s ok). now destruct (k <? n). }
  rewrite T. destruct (k <? n); trivial.
Qed.

(** Weights. *)
Lemma served_sound : forall rows j, has (served rows) j = true ->
  exists r rest, In r rows /\ fst r = true :: rest /\ has (snd r) j = true.
Proof.
  induction rows as [|[l b] rows IH]; intros j h; simpl in h; [now rewrite has_0 in h|].
  assert (old : has (served rows) j = true -> exists r rest, In r ((l, b) :: rows) /\
    fst r = true :: rest /\ has (snd r) j = true).
  { intro h'. destruct (IH j h') as (r & rest & m & e). exists r, rest. split; [now right|trivial]. }
  destruct l as [|[|] l]; auto. rewrite has_lor in h. apply orb_prop in h. destruct h as [h|h]; auto.
  exists (true :: l, b), l. repeat split; trivial. now left.
Qed.

Lemma all_served_sound : forall (second : form -> N) ws full cs,
  all_served full cs (map (fun w => (map (first_ok w) cs, second w)) ws) = true ->
  forall c j, In c cs -> has full j = true ->
  exists w, In w ws /\ first_ok w c = true /\ has (second w) j = true.
Proof.
  intros second ws full. induction cs as [|a cs IH]; intros ok c j m h; [contradiction|].
  simpl in ok. apply andb_prop in ok. destruct ok as [e ok]. apply N.eqb_eq in e.
  rewrite map_map in ok. simpl in ok. destruct m as [<-|m].
  - rewrite <- e in h. apply served_sound in h. destruct h as (r & rest & mr & er & hr).
    apply in_map_iff in mr. destruct mr as (w & <- & mw). simpl in *. exists w.
    injection er as -> _. auto.
  - apply (IH ok c j m h).
Qed.

Lemma value_lower : forall w q r, (forall i, r i <= q i) ->
  (forall i, i < length w -> r i <> q i -> (1 <= nth i w 0)%Z) ->
  (value w r <= value w q)%Z /\ ((exists i, i < length w /\ r i <> q i) -> (value w r < value w q)%Z).
Proof.
  unfold value.
  assert (gen : forall w q r k, (forall i, r i <= q i) ->
    (forall i, i < length w -> r (k + i) <> q (k + i) -> (1 <= nth i w 0)%Z) ->
    (value_from k w r <= value_from k w q)%Z /\
    ((exists i, i < length w /\ r (k + i) <> q (k + i)) -> (value_from k w r < value_from k w q)%Z)).
  { induction w as [|a w IH]; intros q r k le p.
    - simpl. split; [lia|]. intros (i & l & _). simpl in l. lia.
    - cbn [value_from]. destruct (IH q r (S k) le) as [x y].
      { intros i l ne. apply (p (S i)); [simpl; lia|]. now rewrite Nat.add_succ_r in *. }
      specialize (le k). destruct (Nat.eq_dec (r k) (q k)) as [e|ne].
      + rewrite e. split; [lia|]. intros (i & l & d). destruct i as [|i].
        * rewrite Nat.add_0_r in d. congruence.
        * assert (value_from (S k) w r < value_from (S k) w q)%Z; [|lia]. apply y. exists i.
          simpl in l. split; [lia|]. now rewrite Nat.add_succ_r in d.
      + assert (1 <= a)%Z. { apply (p 0); [simpl; lia|]. now rewrite Nat.add_0_r. }
        split; [nia|]. intros _. nia. }
  intros w q r le p. apply (gen w q r 0 le p).
Qed.

Lemma weights_sound : forall n all f ws, check_weights n all (f, ws) = true ->
  forall c d, In c all -> In d all -> forall q r, spans c q -> spans d r ->
  (forall i, r i <= q i) -> (forall i, r i <> q i -> has f i = true /\ i < n) ->
  (exists i, r i <> q i) -> False.
Proof.
  intros n all f ws ok c d mc md q r [s sp] [t tp] le dif (i & ne).
  unfold check_weights in ok. apply andb_prop in ok. destruct ok as [pos ok].
  destruct (In_nth _ _ [] md) as (j & lj & ej).
  destruct (all_served_sound _ _ _ _ ok c j mc) as (w & mw & f1 & f2).
  { rewrite has_bits. rewrite nth_indep with (d' := (fun _ => true) ([] : list N))
      by now rewrite map_length. now rewrite (map_nth (fun _ : list N => true)). }
  rewrite has_bits in f2.
  rewrite nth_indep with (d' := second_ok w []) in f2 by now rewrite map_length.
  rewrite map_nth, ej in f2.
  rewrite forallb_forall in pos. specialize (pos w mw). apply andb_prop in pos.
  destruct pos as [len pos]. apply Nat.eqb_eq in len. rewrite forallb_forall in pos.
  pose proof (proj1 (value_total w c s) f1) as a. pose proof (proj2 (value_total w d t) f2) as b.
  rewrite <- (value_ext w q (total c s) sp) in a. rewrite <- (value_ext w r (total d t) tp) in b.
  destruct (value_lower w q r le) as [_ lt].
  { intros k lk nk. apply Z.leb_le, pos, in_elements. split; [lia|now apply dif]. }
  assert (value w r < value w q)%Z; [|lia]. apply lt. exists i. split; trivial.
  rewrite len. now apply dif.
Qed.

Theorem check_sound : forall g c, check g c = true ->
  forall x, valid g x -> (P g x <-> cells (sym (relabellings c) (generators c)) x).
Proof.
  intros g c ok. unfold check in ok. rewrite !andb_true_iff in ok.
  destruct ok as [[[[[[nm pl] gf] so] cp] wr] wo].
  set (n := stacks g) in *. set (facets := map snd (plays g)) in *.
  set (all := sym (relabellings c) (generators c)) in *.
  apply negb_true_iff in nm. rewrite forallb_forall in pl, gf, so, wr, wo.
  assert (any : forall a s, In (a, s) (plays g) -> a = Any /\ fits n s = true).
  { intros a s m. specialize (pl _ m). simpl in pl. destruct a; try discriminate. auto. }
  assert (ff : forall f, In f facets -> fits n f = true).
  { intros f m. apply in_map_iff in m. destruct m as ([a s] & <- & m). now apply any in m. }
  assert (s1 : forall s, In s (relabellings c) -> relabelling n s = true).
  { intros s m. specialize (so s m). rewrite !andb_true_iff in so. tauto. }
  assert (s2 : forall s, In s (relabellings c) -> forall f, In f facets -> In (image s f) facets).
  { intros s m f mf. specialize (so s m). rewrite !andb_true_iff in so. destruct so as [[_ a] _].
    rewrite forallb_forall in a. now apply among_in, a. }
  assert (s3 : forall s t, In s (relabellings c) -> In t (relabellings c) ->
    In (compose s t) (relabellings c)).
  { intros s t ms mt. specialize (so s ms). rewrite !andb_true_iff in so. destruct so as [_ a].
    rewrite forallb_forall in a. specialize (a t mt). apply existsb_exists in a.
    destruct a as (u & mu & e). unfold same_list in e.
    destruct (list_eq_dec Nat.eq_dec (compose s t) u) as [->|]; [trivial|discriminate]. }
  assert (in_all : forall d, In d all -> exists s r, In s (relabellings c) /\ In r (generators c) /\
    d = map (image s) r).
  { intros d m. apply in_flat_map in m. destruct m as (s & ms & m). apply in_map_iff in m.
    destruct m as (r & <- & m). eauto. }
  assert (gfit : forall r, In r (generators c) -> forall v, In v r -> fits n v = true).
  { intros r m v mv. specialize (gf r m). rewrite forallb_forall in gf. auto. }
  assert (cf : forall d, In d all -> forall v, In v d -> fits n v = true).
  { intros d m v mv. apply in_all in m. destruct m as (s & r & ms & mr & ->).
    apply in_map_iff in mv. destruct mv as (w & <- & mw). apply has_fits. intros i h.
    rewrite (has_image n s (s1 s ms)) in h. apply andb_prop in h. now apply Nat.ltb_lt. }
  assert (s4 : forall s, In s (relabellings c) -> forall d, In d all -> In (map (image s) d) all).
  { intros s ms d m. apply in_all in m. destruct m as (t & r & mt & mr & ->).
    apply in_flat_map. exists (compose s t). split; auto. apply in_map_iff. exists r. split; trivial.
    rewrite map_map. apply map_ext_in. intros v mv. symmetry.
    apply image_compose with n; auto. eapply gfit; eauto. }
  assert (sol : solution g (cells all)).
  { constructor.
    - (* (I) *)
      intros x y vx (d & md & spx) m (e & me & spy).
      pose proof (move_lowers _ _ _ m) as le. destruct m as (len & ne & a & f & mp & tk).
      destruct (any a f mp) as [-> fitf]. assert (mf : In f facets) by (apply in_map_iff; now exists (Any, f)).
      specialize (wr f mf). apply existsb_exists in wr. destruct wr as (s & ms & wr).
      apply existsb_exists in wr. destruct wr as ([f' ws] & mw & sub). simpl in sub.
      assert (dif : exists i, i < n /\ height y i <> height x i).
      { destruct (forallb (fun i => height y i =? height x i) (seq 0 n)) eqn:fa.
        - exfalso. apply ne. apply nth_ext with 0 0; trivial. intros i l. rewrite forallb_forall in fa.
          apply Nat.eqb_eq, fa, in_seq. rewrite len in l. unfold valid in vx. fold n in vx. lia.
        - apply Bool.not_true_iff_false in fa. destruct (Exists_dec
            (fun i => height y i <> height x i) (seq 0 n)) as [ex|nex].
          + intro i. destruct (Nat.eq_dec (height y i) (height x i)); [right|left]; tauto.
          + apply Exists_exists in ex. destruct ex as (i & mi & d'). apply in_seq in mi.
            exists i. split; [lia|trivial].
          + exfalso. apply fa. apply forallb_forall. intros i mi. apply Nat.eqb_eq.
            destruct (Nat.eq_dec (height y i) (height x i)); trivial. exfalso. apply nex.
            apply Exists_exists. eauto. }
      specialize (wo _ mw).
      apply (weights_sound n all f' ws wo (map (image s) d) (map (image s) e)
        (s4 s ms d md) (s4 s ms e me) (push n s (height x)) (push n s (height y))).
      + apply spans_push; auto.
      + apply spans_push; auto.
      + intro i. unfold push. destruct (i <? n); trivial.
      + intros i d'. unfold push in d'. destruct (i <? n) eqn:l; [|congruence].
        split; [|now apply Nat.ltb_lt]. apply (subset_has _ _ sub).
        rewrite (has_image n s (s1 s ms)), l. simpl.
        specialize (tk (index i s)). destruct (has f (index i s)); trivial. congruence.
      + destruct dif as (i & l & d'). exists (nth i s 0). unfold push.
        destruct (relabel_there n s (s1 s ms) i l) as [a b]. apply Nat.ltb_lt in a. now rewrite a, b.
    - (* no misere play *) congruence.
    - (* (II) *)
      intros x vx.
      destruct (check_parts 1 (PositiveMap.empty part) (earlier c)) as [parts|] eqn:ep; [|discriminate].
      assert (fp : fine (Part n facets [] all)).
      { eapply part_sound; eauto. eapply parts_sound; eauto.
        intros k p f. rewrite PositiveMap.gempty in f. discriminate. }
      destruct fp as [gd _]. destruct (gd (height x)) as (k & d & r & fk & (le & dif) & sp).
      { intros i l. unfold height. apply nth_overflow. unfold valid in vx. fold n in vx. simpl in l. lia. }
      { intros r []. }
      assert (md : In d all) by (eapply find_table; eauto). simpl in dif.
      destruct (seq_position x r) as (y & len & ey); trivial.
      assert (spy : cells all y).
      { exists d. split; trivial. destruct sp as [tt sp]. exists tt. intro i. now rewrite ey. }
      destruct (list_eq_dec Nat.eq_dec y x) as [->|ne]; [now left|]. right. left. exists y.
      destruct dif as [same|(f & mf & dif)].
      { exfalso. apply ne. apply nth_ext with 0 0; trivial. intros i _. pose proof (ey i) as e.
        rewrite same in e. exact e. }
      split; trivial. repeat split; trivial. apply in_map_iff in mf.
      destruct mf as ([a s] & es & mf). simpl in es. subst s.
      destruct (any a f mf) as [-> _]. exists Any, f. split; trivial. intro i. rewrite ey.
      destruct (has f i) eqn:h; [apply le|]. destruct (Nat.eq_dec (r i) (height x i)) as [|n']; trivial.
      apply dif in n'. congruence. }
  intros x vx. rewrite (P_is g _ sol x). tauto.
Qed.
