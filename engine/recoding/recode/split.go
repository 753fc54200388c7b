package recode

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Split divides a merged level into its source levels; other levels stay as they are. Missing cells that were
// included become missing again. The parts take the position of the level, in the order of the source. The
// variable is ordered if the source is and each level consists of neighbours.
//
// The parts are those of the source, or of the values after the last conversion or perturbation: levels merged
// before a perturbation stay merged.
type Split struct {
	Variable string
	Level    string // label of the level
}

// SplitSpec describes recode-split for the catalog.
func SplitSpec() method.Spec {
	return method.Spec{
		Name:  "recode-split",
		Title: "Splitting of a category",
		Help: "Splits a merged, renamed, top-coded or interval category into its original categories. Merged missing " +
			"values become missing again; suppressed cells stay suppressed. A category merged before a perturbation " +
			"such as PRAM cannot be split.",
		Cite:   "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4",
		Key:    "r",
		Sample: `{"variable":"walls","level":"mineral"}`,
		New:    method.From(Split{}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Split) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleHousehold),
		method.Text(&m.Level, "level", "label of the category to split").Needed().CategoryOf(&m.Variable),
	}
}

// AllParts returns, for every level of the column in order, the labels of its source levels in their order, or nil
// if they are unknown. The only part of a level that was not merged is itself.
func AllParts(column *microdata.Column) [][]string {
	c, err := composedOf(column)
	if err != nil {
		return nil
	}
	all := make([][]string, len(c.levels))
	for i, parts := range c.parts()[1:] {
		all[i] = labelsOf(parts)
	}
	return all
}

// parts returns the source levels of each current code, including missing at 0.
func (c *composed) parts() [][]microdata.Level {
	parts := make([][]microdata.Level, len(c.levels)+1)
	for i, level := range c.from.Categories().Levels {
		parts[c.now[i+1]] = append(parts[c.now[i+1]], level)
	}
	return parts
}

// Regroup returns the mapping of the source levels: parts of the level to themselves, others to their current
// levels.
func (m *Split) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	categories := target.Categories()
	places, err := placesOf(target, "level", m.Level)
	if err != nil {
		return r, err
	}
	code := uint32(places[0] + 1)
	c, err := composedOf(target)
	if err != nil {
		return r, fmt.Errorf("recode-split %w; undo that step first", err)
	}
	parts := c.parts()[code]
	if c.now[0] != code && (len(parts) == 0 || len(parts) == 1 && parts[0].Label == m.Level) {
		return r, m.nothing(target)
	}
	parted := list(labelsOf(parts))
	if len(parts) == 0 {
		parted = "missing"
	}
	for _, part := range parts {
		if other, taken := categories.CodeOf(part.Label); taken && other != code {
			return r, fmt.Errorf("recode-split %w: a part of %q and another category are both called %q; rename that category first",
				method.ErrInput, wording.Excerpt(m.Level), wording.Excerpt(part.Label))
		}
	}
	levels := slices.Concat(categories.Levels[:places[0]], parts, categories.Levels[places[0]+1:])
	after := slices.Clone(c.from.Categories().Levels)
	for i := range after {
		if now := c.now[i+1]; now == 0 {
			after[i] = microdata.Level{}
		} else if now != code {
			after[i] = categories.Levels[now-1]
		}
	}
	r = mapped(target, c.from, after, levels...)
	if joined := c.now[0]; joined != 0 && joined != code {
		r.Mapping[0] = uint32(1 + slices.Index(labelsOf(levels), categories.Levels[joined-1].Label))
	}
	r.Title = fmt.Sprintf("split %s: %s → %s", m.Variable, m.Level, parted)
	r.Effect = "1 category becomes " + wording.Number(len(parts))
	r.Description = m.described(target, &r)
	return r, nil
}

// described returns the description of the parts in the source and of the other current levels.
func (m *Split) described(target *microdata.Column, r *method.Regrouping) *microdata.Description {
	now := target.Described()
	if len(now.CodeOf)+len(now.Labels) == 0 {
		return nil
	}
	labels, codes := maps.Clone(now.Labels), maps.Clone(now.CodeOf)
	delete(labels, m.Level)
	delete(codes, m.Level)
	return described(r, labels, codes)
}

// nothing returns the error for a level that was not merged.
func (m *Split) nothing(target *microdata.Column) error {
	why := "there is nothing to split"
	if _, ok := target.Source().Categories().CodeOf(m.Level); !ok {
		why = "categories merged before a perturbation or a conversion stay merged; undo that step to split them"
	}
	return fmt.Errorf("recode-split %w: %q is not a merged category of %q: %s", method.ErrInput, wording.Excerpt(m.Level),
		m.Variable, why)
}

// composed is the composition of all recodes so far.
type composed struct {
	from *microdata.Column // Unrecoded() of the column
	now  []uint32          // current code by code of from, including missing

	levels []microdata.Level // current levels
}

// composedOf returns the composition of the recodes of a column. It returns an error if values were changed record
// by record after a recode.
func composedOf(target *microdata.Column) (composed, error) {
	from, now, ok := target.Composition()
	if !ok {
		return composed{}, fmt.Errorf("%w: the values of %q were changed record by record after they were recoded",
			method.ErrInput, target.Name())
	}
	return composed{from: from, now: now, levels: target.Categories().Levels}, nil
}

// Narrate states that a merged category was split.
func (m *Split) Narrate(*method.Report) string {
	return fmt.Sprintf("A merged category of %s was split into its original categories.", m.Variable)
}
