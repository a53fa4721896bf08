(** S given by a formula without exclusive ors: what a certificate holds, and its checker. The theory
    [Regions] says what is checked, and why it is enough. *)

From Coq Require Import Bool NArith ZArith Arith Lia List.
Require Import Nimatron.Game Nimatron.Sets.
Require Export Nimatron.Constraints.
Import ListNotations.
Open Scope Z_scope.

(** * Certificates *)

(** Constraints on the heights and so many further integers. *)
Record branch := Branch { further : nat; constraints : list row }.
(** Why some positions lie in S: the alternatives taken, the further integers, the derivations. *)
Record member := Member { choices : list nat; integers : list linear; proofs : list farkas }.
Record generator := Generator { images : list nat; closed : list member }.
Inductive source :=
  | By_trees (ts : list tree)
  | By_image (symmetry into : nat) (fu : list linear) (ps : list farkas).
(** The stacks played, by the number of the kind of move; none if the position itself lies in S. *)
Record rule := Rule { region : branch; played : option nat; lowered : list linear;
  legal : list farkas; target : option member }.
Record certificate := Certificate {
  formula : statement;
  extra : nat;
  kinds : list (amount * N);
  branches : list branch;
  expansion : tree;
  generators : list generator;
  symmetries : list (list nat);
  separation : list (nat * source);
  playable : list tree;
  rules : list rule;
  least : option nat;
  orbit : list nat;
  exchange : option (nat * nat * nat);
  coverage : tree
}.

(** The positions at which a statement holds for some further integers. *)
Definition described (n : nat) (s : statement) (x : position) : Prop :=
  exists v : values, (forall i, (i < n)%nat -> v i = Z.of_nat (height x i)) /\ sat s v.

(** * The checker *)

Fixpoint both_lists {A B} (f : A -> B -> bool) (l : list A) (m : list B) : bool :=
  match l, m with
  | [], [] => true
  | a :: l', b :: m' => f a b && both_lists f l' m'
  | _, _ => false
  end.

Definition same_play (p q : amount * N) : bool :=
  N.eqb (snd p) (snd q) &&
  match fst p, fst q with Any, Any | Each, Each | One, One => true | _, _ => false end.

Section Check.
  Variable n : nat.
  Variable S : statement.
  Variable moves : list (amount * N).
  Variable parts : list branch.
  Variable mis : bool.

  Definition base : list row := map (fun i => Ge (var i)) (seq 0 n).
  Definition own : list linear := map var (seq 0 n).
  Definition place (s : N) (first i : nat) : nat :=
    if has s i then (first + index i (elements n s))%nat else i.
  Definition taken (p : nat -> nat) (i : nat) : linear := minus (var i) (var (p i)).
  Definition play_rows (a : amount) (s : N) (p : nat -> nat) (stay : bool) : list row :=
    flat_map (fun i => Ge (var (p i)) :: match a with
      | Any => [Ge (taken p i)]
      | Each => [Ge (minus (taken p i) [1])]
      | One => [Eq (minus (taken p i) [1])]
      end) (elements n s) ++
    if stay then [] else
      [Ge (minus (fold_right (fun i f => plus (taken p i) f) [] (elements n s)) [1])].

  Definition check_member (rows : list row) (hs : list linear) (m : member) : bool :=
    match chosen S (choices m) with
    | Some (rs, []) => derive rows (map (replace_row (hs ++ integers m)) rs) (proofs m)
    | _ => false
    end.

  Definition leaf_branch (c : cell) (t : tree) : bool :=
    match t with
    | In_branch b fu ps => match nth_error parts b with
        | Some br => derive (known c) (map (replace_row (own ++ fu)) (constraints br)) ps
        | None => false
        end
    | _ => false
    end.

  Definition permutes (s : list nat) : bool :=
    relabelling n s &&
    every (fun p => some (same_play (fst p, image s (snd p))) moves) moves &&
    every (fun q => some (fun p => same_play (fst p, image s (snd p)) q) moves) moves.

  Definition check_generator (g : generator) : bool :=
    permutes (images g) &&
    both_lists (fun b m => check_member (base ++ constraints b)
      (map (fun k => var (index k (images g))) (seq 0 n)) m) parts (closed g).

  Definition move_cell (b : branch) (p : amount * N) (b' : branch) : cell :=
    let (a, s) := p in
    let n1 := (n + further b)%nat in
    let n2 := (n1 + length (elements n s))%nat in
    let names := map (place s n1) (seq 0 n) ++ map (fun j => (n2 + j)%nat) (seq 0 (further b')) in
    Cell (n2 + further b') (base ++ constraints b ++ play_rows a s (place s n1) false ++
      map (replace_row (map var names)) (constraints b')) [].

  Variable syms : list (list nat).

  Definition check_source (done : list nat) (b : branch) (src : source) : bool :=
    match src with
    | By_trees ts => both_lists (fun pb t => walk (fun _ _ => false) (move_cell b (fst pb) (snd pb)) t)
        (list_prod moves parts) ts
    | By_image k into fu ps => match nth_error syms k, nth_error parts into with
        | Some s, Some b' => existsb (Nat.eqb into) done &&
            derive (base ++ constraints b)
              (map (replace_row (map (fun k => var (index k s)) (seq 0 n) ++ fu)) (constraints b')) ps
        | _, _ => false
        end
    end.
  Fixpoint check_separation (done : list nat) (l : list (nat * source)) : bool :=
    match l with
    | [] => every (fun b => existsb (Nat.eqb b) done) (seq 0 (length parts))
    | (b, src) :: l' => match nth_error parts b with
        | Some br => check_source done br src && check_separation (b :: done) l'
        | None => false
        end
    end.

  Definition check_rule (r : rule) : bool :=
    let rows := base ++ constraints (region r) in
    match played r with
    | None => match target r with Some m => check_member rows own m | None => true end
    | Some k => match nth_error moves k with
        | None => false
        | Some (a, s) =>
            let stay := match a, target r with Any, Some _ => true | _, _ => false end in
            derive rows (map (replace_row (own ++ lowered r)) (play_rows a s (place s n) stay)) (legal r) &&
            match target r with
            | None => true
            | Some m => check_member rows (map (fun i => if has s i
                then nth (index i (elements n s)) (lowered r) [] else var i) (seq 0 n)) m
            end
        end
    end.

  Variable laws : list rule.

  Definition applies (c : cell) (r : rule) (sym : option nat) (bind : list nat) (ps : list farkas) : bool :=
    match match sym with None => Some (seq 0 n) | Some k => nth_error syms k end with
    | Some s => derive (known c) (map (replace_row (map var (s ++ bind))) (constraints (region r))) ps
    | None => false
    end.
  Definition leaf_playable (c : cell) (t : tree) : bool :=
    match t with
    | By_rule r sym bind ps => match nth_error laws r with
        | Some (Rule _ (Some _) _ _ None as ru) => applies c ru sym bind ps
        | _ => false
        end
    | _ => false
    end.
  Definition leaf_move (c : cell) (t : tree) : bool :=
    match t with
    | By_rule r sym bind ps => match nth_error laws r with
        | Some (Rule _ _ _ _ (Some _) as ru) => applies c ru sym bind ps
        | _ => false
        end
    | No_move ps => mis && every (within (count c)) (known c) &&
        both_lists (fun p f => refute (known c ++ play_rows (fst p) (snd p) (place (snd p) (count c)) false) f)
          moves ps
    | _ => false
    end.
End Check.

Section Words.
  Variable n : nat.
  Variable gens : list (list nat).
  Fixpoint word (w : list nat) : list nat :=
    match w with
    | [] => seq 0 n
    | k :: w' => compose (word w') (nth k gens [])
    end.
  Fixpoint check_word (w : list nat) : bool :=
    match w with
    | [] => relabelling n (seq 0 n)
    | k :: w' => (k <? length gens)%nat && relabelling n (compose (word w') (nth k gens [])) && check_word w'
    end.
End Words.

Definition lower (a b : nat) : row := Ge (minus (var b) (var a)).

Definition check (g : game) (c : certificate) : bool :=
  let n := stacks g in
  let moves := kinds c in
  let parts := branches c in
  let syms := map (word n (map images (generators c))) (symmetries c) in
  let rule_ok := check_rule n (formula c) moves in
  every (fun p => some (same_play p) moves) (plays g) &&
  every (fun p => some (same_play p) (plays g) && fits n (snd p)) moves &&
  every (fun b => every (within (n + further b)) (constraints b)) parts &&
  walk (leaf_branch n parts) (add (formula c) (Cell (n + extra c) (base n) [])) (expansion c) &&
  every (check_generator n (formula c) moves parts) (generators c) &&
  relabelling n (seq 0 n) &&
  every (check_word n (map images (generators c))) (symmetries c) &&
  every (permutes n moves) syms &&
  check_separation n moves parts syms [] (separation c) &&
  every rule_ok (rules c) &&
  (if misere g then both_lists (fun b t => walk (leaf_playable n syms (rules c))
      (Cell (n + further b) (base n ++ constraints b) []) t) parts (playable c) else true) &&
  (* where the coverage starts *)
  match least c with
  | Some l => (l <? n)%nat && every (fun o => some (fun s => Nat.eqb (nth l s 0%nat) o) syms) (orbit c)
  | None => match orbit c with [] => true | _ => false end
  end &&
  match exchange c with
  | Some (a, b, k) => match nth_error syms k with
      | Some s => (a <? n)%nat && (b <? n)%nat && Nat.eqb (nth a s 0%nat) b && Nat.eqb (nth b s 0%nat) a &&
          match least c with
          | Some l => Nat.eqb (nth l s 0%nat) l &&
              every (fun o => (o <? n)%nat && existsb (Nat.eqb (nth o s 0%nat)) (l :: orbit c)) (orbit c)
          | None => true
          end
      | None => false
      end
  | None => true
  end &&
  walk (leaf_move n moves (misere g) syms (rules c))
    (Cell n (base n ++
      match least c with Some l => map (lower l) (orbit c) | None => [] end ++
      match exchange c with Some (a, b, _) => [lower a b] | None => [] end) [])
    (coverage c).
