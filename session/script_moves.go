package session

import (
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// perform adds steps at the position. Steps ahead of it are left behind as a branch.
func (s *Script) perform(steps ...Step) { s.change(s.tree.at, steps) }

// change begins a branch of steps on top of a node.
func (s *Script) change(from int, steps []Step) {
	scenario := s.Scenario
	for i := range steps {
		steps[i].scenario, steps[i].lineNumber, steps[i].scenarioLine = &scenario, s.Lines, s.scenarioLine
	}
	s.tree.grow(from, steps)
}

func (s *Script) readMove(fields []field) error {
	var line moveLine
	if err := decodeFields("a move", fields, &line); err != nil {
		return err
	}
	if line.Move == moveBranch {
		if err := s.tree.find(line.Node); err != nil || !has(fields, "node") {
			return errors.Join(errors.New(`a move to another branch needs a "node" that is there`), err)
		}
		s.tree.move(line.Node)
		return nil
	}
	if line.Move == moveBack || line.Move == moveAgain {
		return s.readHistoryMove(line.Move)
	}
	if line.Move != moveUndo && line.Move != moveRedo && line.Move != moveJump {
		return fmt.Errorf("unknown move %q; known are undo, redo, jump, branch, back, again", wording.Excerpt(line.Move))
	}
	if !has(fields, "position") {
		return errors.New(`a move needs a "position": the number of steps that stand after it`)
	}
	id, err := s.tree.nodeAt(line.Position)
	if err != nil {
		return fmt.Errorf("position %d does not exist: there are %s", line.Position,
			wording.Counted(len(s.tree.branch()), "step"))
	}
	s.tree.move(id)
	return nil
}

// readHistoryMove takes back what was done last, or takes that back.
func (s *Script) readHistoryMove(move string) error {
	by := map[string]int{moveBack: -1, moveAgain: 1}[move]
	if _, ok := s.tree.inHistory(by); !ok {
		return fmt.Errorf("the move %q leads nowhere", move)
	}
	s.tree.moveInHistory(by)
	s.follows()
	return nil
}

// follows takes over the scenario in force.
func (s *Script) follows() { s.Scenario = *s.tree.scenarios.inForce() }

func (s *Script) readScenarios(fields []field) error {
	var line scenariosLine
	if err := decodeFields("a change of the scenarios", fields, &line); err != nil {
		return err
	}
	set, err := s.tree.scenarios.altered(&line)
	if err != nil {
		return err
	}
	s.tree.setScenarios(set)
	s.follows()
	s.scenarioLine = s.Lines
	return nil
}

func (s *Script) readChange(fields []field) error {
	var line changeLine
	if err := decodeFields("a change", fields, &line); err != nil {
		return err
	}
	if line.Change == changeDelete {
		return s.tree.remove(line.Node, !line.Undo)
	}
	if line.Change != changeEdit && line.Change != changeRemove {
		return fmt.Errorf("unknown change %q; known are edit, remove, delete", wording.Excerpt(line.Change))
	}
	if position := s.tree.position(); line.From < 0 || line.From > position {
		return fmt.Errorf("a change from step %d on is not possible: %s stand", line.From, wording.Counted(position, "step"))
	}
	steps := make([]Step, len(line.Steps))
	for i, text := range line.Steps {
		fields, err := objectFields(text)
		if err != nil {
			return fmt.Errorf("step %d of the change %w", i+1, err)
		}
		if steps[i], err = readStep(fields, s.methods); err != nil {
			return err
		}
		steps[i].redone = true
	}
	from, err := s.tree.nodeAt(line.From)
	if err == nil {
		s.change(from, steps)
	}
	return err
}

func (s *Script) readBranch(fields []field) error {
	var line branchLine
	if err := decodeFields("a branch", fields, &line); err != nil {
		return err
	}
	if err := s.tree.find(line.Node); err != nil || s.tree.opening(line.Node) == 0 {
		return errors.Join(errors.New(`the name of a branch needs the "node" of a step`), err)
	}
	s.tree.nodes[s.tree.opening(line.Node)].name = plainBranch(line.Branch)
	return nil
}
