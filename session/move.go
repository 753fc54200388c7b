package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// lineOfMove returns the line of a move to a node; on the current branch it has the position.
func (s *Session) lineOfMove(id int) moveLine {
	position := len(s.tree.path(id))
	line := moveLine{Move: moveJump, Position: &position, At: now()}
	on, err := s.tree.nodeAt(position)
	switch {
	case err != nil || on != id:
		line.Move, line.Node = moveBranch, id
	case position == s.Position()-1:
		line.Move = moveUndo
	case position == s.Position()+1:
		line.Move = moveRedo
	}
	return line
}

// spoken returns the name of a move.
func (l *moveLine) spoken() string {
	if l.Move == moveBranch {
		return "change of branch"
	}
	return l.Move
}

// move writes the line of a move and moves. An error that wraps microdata.ErrScenario or microdata.ErrWeights
// means that the scenario does not fit the data there: it names a variable that a step adds or converts.
func (s *Session) move(r *Result) error {
	if r.job.history != 0 {
		return s.moveScenarios(r)
	}
	id := r.chain.end()
	if id == s.tree.at {
		return nil
	}
	line := s.lineOfMove(id)
	if err := fitsAfterMove(s.scenario, s.Data(), r.Data); err != nil {
		return refusedMove(line.spoken(), s.scenario, r.Data, err)
	}
	fresh := slices.DeleteFunc(s.tree.path(id), func(step int) bool { return s.tree.below(s.tree.at, step) })
	if conflicts := s.conflictsOf(fresh, s.scenario); len(conflicts) > 0 {
		return fmt.Errorf("the %s is not possible: %w: step %d (%s): %s; change the roles of the variables first",
			line.spoken(), microdata.ErrScenario, conflicts[0].Step+1, conflicts[0].Title, conflicts[0].Reason)
	}
	if err := s.store(line); err != nil {
		return err
	}
	s.accept(r.chain)
	s.tree.move(id)
	s.changedPlace()
	return nil
}

// moveScenarios undoes or redoes a change of the scenarios or a deletion. At its node the scenarios did fit
// before.
func (s *Session) moveScenarios(r *Result) error {
	to, ok := s.tree.inHistory(r.job.history)
	if !ok {
		return fmt.Errorf("%w: nothing to undo", ErrPosition)
	}
	scenario := to.scenarios.inForce()
	if err := scenario.Check(r.Data); err != nil {
		return refusedMove("undo", scenario, r.Data, err)
	}
	position := len(s.tree.path(to.node))
	line := moveLine{Move: moveBack, Position: &position, At: now()}
	if r.job.history > 0 {
		line.Move = moveAgain
	}
	if err := s.store(line); err != nil {
		return err
	}
	s.accept(r.chain)
	s.tree.moveInHistory(r.job.history)
	s.scenario = scenario
	s.changedPlace()
	return nil
}

// refusedMove says first what to do, because a narrow screen shows only the beginning.
func refusedMove(move string, scenario *microdata.Scenario, data *microdata.Dataset, err error) error {
	var names []string
	for _, problem := range scenario.Validate(data) {
		if problem.Variable != "" && !slices.Contains(names, problem.Variable) {
			names = append(names, problem.Variable)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("the %s is not possible: after it, %w; change the roles of the variables first", move, err)
	}
	return fmt.Errorf("first remove the role of %s: the %s is not possible: after it, %w", strings.Join(names, ", "),
		move, err)
}
