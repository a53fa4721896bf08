(** Linear constraints over integers: the one inference, adding multiples, and what is built on it.

    A formula without exclusive ors is a statement: constraints on the heights, and perhaps on further
    integers, joined by "all" and "any". Trees divide the integers that satisfy some constraints into
    cases; a leaf shows what is wanted, or that there are none. *)

From Coq Require Import Bool ZArith Arith Lia List.
Require Import Nimatron.Sets.
Require Nimatron.Linear.
Import ListNotations.
Open Scope Z_scope.

Definition values := nat -> Z.

(** A constant, then the coefficients of the variables. *)
Definition linear := list Z.
Fixpoint dot (l : list Z) (v : values) : Z :=
  match l with
  | [] => 0
  | c :: l' => c * v 0%nat + dot l' (fun i => v (S i))
  end.
Definition value (f : linear) (v : values) : Z :=
  match f with [] => 0 | c :: l => c + dot l v end.

(** A form is at least 0, or it is 0. *)
Inductive row := Ge (f : linear) | Eq (f : linear).
Definition holds (v : values) (r : row) : Prop :=
  match r with Ge f => 0 <= value f v | Eq f => value f v = 0 end.

(** Constraints, joined. *)
Inductive statement := Row (r : row) | All_of (l : list statement) | Any_of (l : list statement).
Fixpoint sat (s : statement) (v : values) : Prop :=
  match s with
  | Row r => holds v r
  | All_of l => (fix all l := match l with
      | [] => True
      | [s] => sat s v
      | s :: l' => sat s v /\ all l'
      end) l
  | Any_of l => (fix any l := match l with
      | [] => False
      | [s] => sat s v
      | s :: l' => sat s v \/ any l'
      end) l
  end.

(** * Calculating *)

Definition plus := Linear.plus.
Definition scale := Linear.scale.
Definition var (i : nat) : linear := 0 :: Linear.unit i.
Definition minus (f g : linear) : linear := plus f (scale (-1) g).
Definition form (r : row) : linear := match r with Ge f | Eq f => f end.
Definition negative (f : linear) : row := Ge (minus [-1] f).

(** Multiples of rows, by their numbers. *)
Definition farkas := list (nat * Z).
Fixpoint sum (rows : list row) (ms : farkas) : option linear :=
  match ms with
  | [] => Some []
  | (k, m) :: rest =>
      match nth_error rows k, sum rows rest with
      | Some (Ge f), Some g => if 0 <=? m then Some (plus (scale m f) g) else None
      | Some (Eq f), Some g => Some (plus (scale m f) g)
      | _, _ => None
      end
  end.
Definition refute (rows : list row) (ms : farkas) : bool :=
  match sum rows ms with
  | Some (c :: l) => (c <? 0) && Linear.zero l
  | _ => false
  end.

(** Rows that follow: their negations are refuted, two for an equation. *)
Fixpoint derive (rows : list row) (goals : list row) (ps : list farkas) : bool :=
  match goals, ps with
  | [], [] => true
  | Ge f :: goals', p :: ps' => refute (rows ++ [negative f]) p && derive rows goals' ps'
  | Eq f :: goals', p :: q :: ps' =>
      refute (rows ++ [negative f]) p && refute (rows ++ [Ge (minus f [1])]) q && derive rows goals' ps'
  | _, _ => false
  end.

(** Variables replaced by forms. *)
Fixpoint replace_dot (l : list Z) (by_ : list linear) : linear :=
  match l, by_ with
  | c :: l', e :: by' => plus (scale c e) (replace_dot l' by')
  | _, _ => []
  end.
Definition replace (by_ : list linear) (f : linear) : linear :=
  match f with [] => [] | c :: l => plus [c] (replace_dot l by_) end.
Definition replace_row (by_ : list linear) (r : row) : row :=
  match r with Ge f => Ge (replace by_ f) | Eq f => Eq (replace by_ f) end.

(** The rows of a statement where of alternatives those with these numbers are taken. *)
Fixpoint chosen (s : statement) (cs : list nat) : option (list row * list nat) :=
  match s with
  | Row r => Some ([r], cs)
  | All_of l => (fix all l cs := match l with
      | [] => Some ([], cs)
      | s :: l' => match chosen s cs with
          | Some (rs, cs') => match all l' cs' with
              | Some (rs', cs'') => Some (rs ++ rs', cs'')
              | None => None
              end
          | None => None
          end
      end) l cs
  | Any_of l => match cs with
      | [] => None
      | k :: cs' => (fix pick l k := match l, k with
          | [], _ => None
          | s :: _, O => chosen s cs'
          | _ :: l', S k' => pick l' k'
          end) l k
      end
  end.

(** Only the first so many variables are mentioned. *)
Definition within (n : nat) (r : row) : bool := (length (form r) <=? S n)%nat.
Fixpoint about (n : nat) (s : statement) : bool :=
  match s with
  | Row r => within n r
  | All_of l | Any_of l => (fix each l := match l with [] => true | s :: l' => about n s && each l' end) l
  end.

(** * Trees *)

Inductive tree :=
  | Split (f : linear) (yes no : tree)
  | Residue (f : linear) (modulus : Z) (children : trees)
  | Cases (place : nat) (children : trees)
  | Empty (p : farkas)
  | In_branch (b : nat) (further : list linear) (ps : list farkas)
  | By_rule (r : nat) (symmetry : option nat) (bind : list nat) (ps : list farkas)
  | No_move (ps : list farkas)
with trees := Nil | Cons (t : tree) (rest : trees).

Scheme tree_ind2 := Induction for tree Sort Prop
  with trees_ind2 := Induction for trees Sort Prop.

(** How many variables there are, what is known of them, and lists of which something holds. *)
Record cell := Cell { count : nat; known : list row; cases : list (list statement) }.
Definition learn (r : row) (c : cell) : cell := Cell (count c) (known c ++ [r]) (cases c).
Fixpoint add (s : statement) (c : cell) : cell :=
  match s with
  | Row r => learn r c
  | All_of l => (fix all l c := match l with [] => c | s :: l' => all l' (add s c) end) l c
  | Any_of l => Cell (count c) (known c) (cases c ++ [l])
  end.
Definition without {A} (k : nat) (l : list A) : list A := firstn k l ++ skipn (S k) l.

Definition fresh (c : cell) : bool :=
  every (within (count c)) (known c) && every (every (about (count c))) (cases c).

Section Walk.
  Variable leaf : cell -> tree -> bool.

  Fixpoint walk (c : cell) (t : tree) : bool :=
    match t with
    | Split f yes no => walk (learn (Ge f) c) yes && walk (learn (negative f) c) no
    | Residue f m ts => fresh c && within (count c) (Ge f) && (0 <? m) && residues c f m 0 ts
    | Cases k ts => match nth_error (cases c) k with
        | Some l => alternatives (Cell (count c) (known c) (without k (cases c))) l ts
        | None => false
        end
    | Empty p => refute (known c) p
    | _ => leaf c t
    end
  with residues (c : cell) (f : linear) (m r : Z) (ts : trees) : bool :=
    match ts with
    | Nil => m =? r
    | Cons t ts' =>
        walk (Cell (S (count c)) (known c ++ [Eq (minus f (plus [r] (scale m (var (count c)))))]) (cases c)) t &&
        residues c f m (r + 1) ts'
    end
  with alternatives (c : cell) (l : list statement) (ts : trees) : bool :=
    match l, ts with
    | [], Nil => true
    | s :: l', Cons t ts' => walk (add s c) t && alternatives c l' ts'
    | _, _ => false
    end.
End Walk.

(** * Why it is right *)

Lemma dot_ext : forall l v w, (forall i, (i < length l)%nat -> v i = w i) -> dot l v = dot l w.
Proof.
  induction l as [|c l IH]; intros v w e; simpl; trivial.
  rewrite (e 0%nat) by (simpl; lia). f_equal. apply IH. intros i h. apply e. simpl. lia.
Qed.

Lemma value_ext : forall f v w n, (length f <= S n)%nat -> (forall i, (i < n)%nat -> v i = w i) ->
  value f v = value f w.
Proof.
  intros [|c l] v w n len e; simpl; trivial. f_equal. apply dot_ext. intros i h. apply e.
  simpl in len. lia.
Qed.

Lemma dot_plus : forall l m v, dot (plus l m) v = dot l v + dot m v.
Proof.
  induction l as [|c l IH]; intros [|b m] v; simpl; try lia. fold (plus l m). rewrite IH. lia.
Qed.

Lemma value_plus : forall f g v, value (plus f g) v = value f v + value g v.
Proof.
  intros [|c l] [|b m] v; simpl; try lia. fold (plus l m). rewrite dot_plus. lia.
Qed.

Lemma dot_scale : forall k l v, dot (scale k l) v = k * dot l v.
Proof.
  intro k. induction l as [|c l IH]; intro v; simpl; [lia|]. fold (scale k l). rewrite IH. lia.
Qed.

Lemma value_scale : forall k f v, value (scale k f) v = k * value f v.
Proof. intros k [|c l] v; simpl; [lia|]. fold (scale k l). rewrite dot_scale. lia. Qed.

Lemma value_minus : forall f g v, value (minus f g) v = value f v - value g v.
Proof. intros. unfold minus. rewrite value_plus, value_scale. lia. Qed.

Lemma value_var : forall i v, value (var i) v = v i.
Proof.
  intros i v. unfold var. cbn [value]. revert v. induction i as [|i IH]; intro v; cbn [Linear.unit dot].
  - lia.
  - specialize (IH (fun j => v (S j))). cbn beta in IH. lia.
Qed.

Lemma value_const : forall c v, value [c] v = c.
Proof. intros. simpl. lia. Qed.

Lemma dot_zero : forall l v, Linear.zero l = true -> dot l v = 0.
Proof.
  unfold Linear.zero. induction l as [|c l IH]; intros v z; cbn [forallb dot] in *; trivial.
  apply andb_prop in z. destruct z as [a b]. apply Z.eqb_eq in a. rewrite IH by trivial. lia.
Qed.

Lemma dot_0 : forall l, dot l (fun _ => 0) = 0.
Proof. induction l; simpl; trivial. rewrite IHl. lia. Qed.

Lemma replace_dot_value : forall l by_ v,
  value (replace_dot l by_) v = dot l (fun i => value (nth i by_ []) v).
Proof.
  induction l as [|c l IH]; intros [|e by_] v; cbn [replace_dot dot]; trivial.
  - transitivity (dot (c :: l) (fun _ => 0)); [symmetry; apply dot_0|].
    apply (dot_ext (c :: l) (fun _ => 0) (fun i => value (nth i [] []) v)). intros i _. now destruct i.
  - rewrite value_plus, value_scale, IH. reflexivity.
Qed.

Lemma replace_value : forall f by_ v,
  value (replace by_ f) v = value f (fun i => value (nth i by_ []) v).
Proof.
  intros [|c l] by_ v; trivial. cbn [replace]. now rewrite value_plus, value_const, replace_dot_value.
Qed.

Lemma replace_holds : forall r by_ v,
  holds v (replace_row by_ r) <-> holds (fun i => value (nth i by_ []) v) r.
Proof. intros [f|f] by_ v; cbn [replace_row holds]; now rewrite replace_value. Qed.

Lemma sum_sound : forall rows ms f v, Forall (holds v) rows -> sum rows ms = Some f -> 0 <= value f v.
Proof.
  intros rows ms f v h. rewrite Forall_forall in h. revert f.
  induction ms as [|[k m] ms IH]; intros f e; cbn [sum] in e.
  - injection e as <-. simpl. lia.
  - destruct (nth_error rows k) as [[g|g]|] eqn:n; [..|discriminate];
      (destruct (sum rows ms) as [g'|]; [|try discriminate]); specialize (IH g' eq_refl);
      pose proof (h _ (nth_error_In _ _ n)) as hg; cbn [holds] in hg.
    + destruct (Z.leb_spec 0 m); [|discriminate]. injection e as <-. rewrite value_plus, value_scale. nia.
    + injection e as <-. rewrite value_plus, value_scale, hg. lia.
Qed.

Lemma refute_sound : forall rows ms, refute rows ms = true -> forall v, Forall (holds v) rows -> False.
Proof.
  intros rows ms r v h. unfold refute in r. destruct (sum rows ms) as [[|c l]|] eqn:e; try discriminate.
  apply andb_prop in r. destruct r as [neg z]. apply Z.ltb_lt in neg.
  pose proof (sum_sound _ _ _ v h e) as s. simpl in s. rewrite dot_zero in s by trivial. lia.
Qed.

Lemma refute_last : forall rows r ms, refute (rows ++ [r]) ms = true ->
  forall v, Forall (holds v) rows -> ~ holds v r.
Proof.
  intros rows r ms e v h c. apply (refute_sound _ _ e v). apply Forall_app. auto.
Qed.

Lemma derive_sound : forall rows goals ps, derive rows goals ps = true ->
  forall v, Forall (holds v) rows -> Forall (holds v) goals.
Proof.
  intros rows goals. induction goals as [|[f|f] goals IH]; intros ps d v h; constructor.
  - destruct ps as [|p ps]; [discriminate|]. cbn [derive] in d. apply andb_prop in d. destruct d as [d _].
    pose proof (refute_last _ _ _ d v h) as n. unfold negative in n. cbn [holds] in *.
    rewrite value_minus, value_const in n. lia.
  - destruct ps as [|p ps]; [discriminate|]. cbn [derive] in d. apply andb_prop in d. now apply (IH ps).
  - destruct ps as [|p [|q ps]]; try discriminate. cbn [derive] in d. rewrite !andb_true_iff in d.
    destruct d as [[d e] _]. pose proof (refute_last _ _ _ d v h) as n.
    pose proof (refute_last _ _ _ e v h) as m. unfold negative in n. cbn [holds] in *.
    rewrite value_minus, value_const in n, m. lia.
  - destruct ps as [|p [|q ps]]; try discriminate. cbn [derive] in d. rewrite !andb_true_iff in d.
    now apply (IH ps).
Qed.

(** Statements. *)
Lemma sat_all : forall l v, sat (All_of l) v <-> Forall (fun s => sat s v) l.
Proof.
  intros l v. induction l as [|s l IH]; [split; simpl; auto|]. rewrite Forall_cons_iff, <- IH.
  destruct l; simpl; tauto.
Qed.

Lemma sat_any : forall l v, sat (Any_of l) v <-> Exists (fun s => sat s v) l.
Proof.
  intros l v. induction l as [|s l IH].
  - simpl. rewrite Exists_nil. tauto.
  - rewrite Exists_cons, <- IH. destruct l; simpl; tauto.
Qed.

Lemma chosen_sound : forall s cs rs rest, chosen s cs = Some (rs, rest) ->
  forall v, Forall (holds v) rs -> sat s v.
Proof.
  fix IH 1. intros [r|l|l] cs rs rest e v h.
  - simpl in e. injection e as <- _. now inversion h.
  - apply sat_all. revert cs rs rest e h. induction l as [|s l IHl]; intros cs rs rest e h; constructor.
    + simpl in e. destruct (chosen s cs) as [[r1 c1]|] eqn:e1; [|discriminate].
      match type of e with match ?a with _ => _ end = _ => destruct a as [[r2 c2]|]; [|discriminate] end.
      injection e as <- _. apply Forall_app in h. exact (IH s cs r1 c1 e1 v (proj1 h)).
    + simpl in e. destruct (chosen s cs) as [[r1 c1]|] eqn:e1; [|discriminate].
      match type of e with match ?a with _ => _ end = _ => destruct a as [[r2 c2]|] eqn:e2; [|discriminate] end.
      injection e as <- _. apply Forall_app in h. exact (IHl c1 r2 c2 e2 (proj2 h)).
  - apply sat_any. destruct cs as [|k cs]; [discriminate|]. simpl in e. revert k e.
    induction l as [|s l IHl]; intros k e; [destruct k; discriminate|]. destruct k as [|k].
    + apply Exists_cons_hd. exact (IH s cs rs rest e v h).
    + apply Exists_cons_tl. exact (IHl k e).
Qed.

Lemma holds_ext : forall n r v w, within n r = true -> (forall i, (i < n)%nat -> v i = w i) ->
  holds v r -> holds w r.
Proof.
  intros n r v w b e. apply Nat.leb_le in b.
  destruct r; cbn [holds form] in *; now rewrite (value_ext _ v w n b e).
Qed.

Lemma sat_ext : forall n s v w, about n s = true -> (forall i, (i < n)%nat -> v i = w i) ->
  sat s v -> sat s w.
Proof.
  intro n. fix IH 1. intros [r|l|l] v w b e h.
  - exact (holds_ext n r v w b e h).
  - apply sat_all. apply sat_all in h. induction l as [|s l IHl]; constructor;
      apply andb_prop in b; inversion h as [|s' l' h1 h2]; subst.
    + exact (IH s v w (proj1 b) e h1).
    + exact (IHl (proj2 b) h2).
  - apply sat_any. apply sat_any in h. induction l as [|s l IHl]; [inversion h|].
    apply andb_prop in b. apply Exists_cons in h. destruct h as [h|h].
    + apply Exists_cons_hd. exact (IH s v w (proj1 b) e h).
    + apply Exists_cons_tl. exact (IHl (proj2 b) h).
Qed.

(** Trees. *)
Definition inside (c : cell) (v : values) : Prop :=
  Forall (holds v) (known c) /\ Forall (fun l => Exists (fun s => sat s v) l) (cases c).

Lemma inside_learn : forall r c v, inside c v -> holds v r -> inside (learn r c) v.
Proof. intros r c v [a b] h. split; simpl; trivial. apply Forall_app. auto. Qed.

Lemma inside_add : forall s c v, inside c v -> sat s v -> inside (add s c) v.
Proof.
  fix IH 1. intros [r|l|l] c v i h.
  - now apply inside_learn.
  - apply sat_all in h. revert c i. induction l as [|s l IHl]; intros c i; trivial.
    inversion h as [|s' l' h1 h2]; subst. exact (IHl h2 (add s c) (IH s c v i h1)).
  - apply sat_any in h. destruct i as [a b]. split; simpl; trivial. apply Forall_app. auto.
Qed.

Lemma inside_without : forall k c l v, inside c v -> nth_error (cases c) k = Some l ->
  inside (Cell (count c) (known c) (without k (cases c))) v /\ Exists (fun s => sat s v) l.
Proof.
  intros k c l v [a b] e. rewrite Forall_forall in b. split; [split; trivial|].
  - simpl. apply Forall_forall. intros m i. apply b. unfold without in i. apply in_app_or in i.
    rewrite <- (firstn_skipn k (cases c)). apply in_or_app. destruct i as [i|i]; [now left|right].
    clear - i. revert k i. generalize (cases c) as l. induction l as [|x l IH]; intros [|k] i; simpl in *; auto.
  - apply b. eapply nth_error_In; eauto.
Qed.

Section Walk_sound.
  Variable n : nat.
  Variable leaf : cell -> tree -> bool.
  Variable goal : values -> Prop.
  Hypothesis local : forall v w, (forall i, (i < n)%nat -> v i = w i) -> goal v -> goal w.
  Hypothesis leaves : forall c t, leaf c t = true -> (n <= count c)%nat -> forall v, inside c v -> goal v.

  Definition upd (v : values) (k : nat) (z : Z) : values := fun i => if Nat.eqb i k then z else v i.

  Lemma walk_sound : forall t c, (n <= count c)%nat -> walk leaf c t = true ->
    forall v, inside c v -> goal v.
  Proof.
    apply (tree_ind2
      (fun t => forall c, (n <= count c)%nat -> walk leaf c t = true -> forall v, inside c v -> goal v)
      (fun ts => (forall c f m r, (n <= count c)%nat -> fresh c = true -> within (count c) (Ge f) = true ->
          residues leaf c f m r ts = true -> forall v q k, inside c v -> r <= k < m ->
          value f v = m * q + k -> goal v) /\
        (forall c l, (n <= count c)%nat -> alternatives leaf c l ts = true -> forall v, inside c v ->
          Exists (fun s => sat s v) l -> goal v))); cbn [walk residues alternatives].
    - intros f yes IHy no IHn c nc w v i. apply andb_prop in w. destruct w as [wy wn].
      destruct (Z_lt_le_dec (value f v) 0) as [l|g].
      + apply (IHn (learn (negative f) c) nc wn v). apply inside_learn; trivial.
        unfold negative. cbn [holds]. rewrite value_minus, value_const. lia.
      + apply (IHy (learn (Ge f) c) nc wy v). now apply inside_learn.
    - intros f m ts [IH _] c nc w v i. rewrite !andb_true_iff in w. destruct w as [[[fr wi] pos] w].
      apply Z.ltb_lt in pos. pose proof (Z.mod_pos_bound (value f v) m pos).
      apply (IH c f m 0 nc fr wi w v (value f v / m) (value f v mod m) i); [lia|].
      apply Z.div_mod. lia.
    - intros k ts [_ IH] c nc w v i. destruct (nth_error (cases c) k) as [l|] eqn:e; [|discriminate].
      destruct (inside_without k c l v i e) as [j ex]. exact (IH (Cell (count c) (known c) (without k (cases c))) l nc w v j ex).
    - intros p c nc w v [i _]. destruct (refute_sound _ _ w v i).
    - intros b fu ps c nc w v i. exact (leaves c _ w nc v i).
    - intros r s b ps c nc w v i. exact (leaves c _ w nc v i).
    - intros ps c nc w v i. exact (leaves c _ w nc v i).
    - split.
      + intros c f m r nc fr wi w v q k i l e. apply Z.eqb_eq in w. lia.
      + intros c l nc w v i ex. destruct l; [inversion ex|discriminate].
    - intros t IHt ts [IHr IHa]. split.
      + intros c f m r nc fr wi w v q k i l e. apply andb_prop in w. destruct w as [wt ws].
        destruct (Z.eq_dec k r) as [->|ne].
        * set (v' := upd v (count c) q).
          assert (same : forall j, (j < count c)%nat -> v j = v' j).
          { intros j lj. unfold v', upd. destruct (Nat.eqb_spec j (count c)); trivial. lia. }
          apply (local v' v); [intros j lj; symmetry; apply same; lia|].
          eapply IHt; [|exact wt|]; [simpl; lia|].
          unfold fresh in fr. apply andb_prop in fr. destruct fr as [fk fc].
          rewrite every_forall in fk, fc. destruct i as [ik ic]. rewrite Forall_forall in ik, ic.
          split; cbn [known cases].
          -- apply Forall_app. split.
             ++ apply Forall_forall. intros x mx. apply (holds_ext (count c) x v v'); auto.
             ++ constructor; [|constructor]. cbn [holds].
                rewrite value_minus, value_plus, value_const, value_scale, value_var.
                apply Nat.leb_le in wi. cbn [form] in wi.
                rewrite <- (value_ext f v v' (count c) wi same). unfold v', upd.
                rewrite Nat.eqb_refl. lia.
          -- apply Forall_forall. intros l' ml. specialize (ic l' ml). specialize (fc l' ml).
             rewrite every_forall in fc. apply Exists_exists in ic. destruct ic as (s & ms & ss).
             apply Exists_exists. exists s. split; trivial. apply (sat_ext (count c) s v v'); auto.
        * apply (IHr c f m (r + 1) nc fr wi ws v q k i); [lia|trivial].
      + intros c l nc w v i ex. destruct l as [|s l]; [discriminate|]. apply andb_prop in w.
        destruct w as [wt ws]. apply Exists_cons in ex. destruct ex as [ss|ex].
        * apply (IHt (add s c)); trivial; [|now apply inside_add].
          clear - nc. revert s c nc. fix IH 1. intros [r|l|l] c nc; trivial.
          simpl. revert c nc. induction l as [|s l IHl]; intros c nc; trivial.
          apply IHl. now apply IH.
        * exact (IHa c l nc ws v i ex).
  Qed.
End Walk_sound.
