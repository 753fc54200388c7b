package session

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// TableSeed returns the seed of the record keys of tables: that of the first that has one, or else a new one. All tables
// of a session have the same, so that a count of the same records is the same in all of them.
func TableSeed(tables []microdata.TableDefinition) uint64 {
	for i := range tables {
		if tables[i].Seed != 0 {
			return tables[i].Seed
		}
	}
	return NewSeed()
}

// seedTables gives a seed to the tables of a scenario that need one and have none.
func (c *scenarioSet) seedTables(scenario *microdata.Scenario) {
	known := slices.Clone(scenario.Tables)
	for i := range c.all {
		known = append(known, c.all[i].scenario.Tables...)
	}
	var seed uint64
	for i := range scenario.Tables {
		if t := &scenario.Tables[i]; t.Protect.Draws() && t.Seed == 0 {
			if seed == 0 {
				seed = TableSeed(known)
			}
			t.Seed = seed
		}
	}
}

// withoutSeeds returns the document without the seeds of its steps and tables, and whether there were any.
func (d Document) withoutSeeds() (out Document, had bool) {
	unseeded := func(scenario microdata.Scenario) microdata.Scenario {
		scenario = scenario.Clone()
		for i := range scenario.Tables {
			had = had || scenario.Tables[i].Seed != 0
			scenario.Tables[i].Seed = 0
		}
		return scenario
	}
	d.Scenario, d.Scenarios, d.Steps = unseeded(d.Scenario), slices.Clone(d.Scenarios), slices.Clone(d.Steps)
	for i := range d.Scenarios {
		d.Scenarios[i].Scenario = unseeded(d.Scenarios[i].Scenario)
	}
	for i := range d.Steps {
		step := &d.Steps[i]
		had = had || step.Spec.Seed != 0
		step.Spec.Seed = 0
		if step.scenario != nil {
			scenario := unseeded(*step.scenario)
			step.scenario = &scenario
		}
	}
	return d, had
}
