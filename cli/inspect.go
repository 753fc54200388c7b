package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/inspect"
	"github.com/sdcdesk/sdcdesk/session"
)

const inspectHelp = `Summarises FILE before any protection: the variables with suggested roles, direct
identifiers, possible weights and household IDs, duplicate records, and, for the suggested
key variables, the risk and the combinations of up to three variables that make the most
records unique.

Roles are suggested from names, types and the first records; all figures are based on all
records. sdcdesk prints no records and writes nothing. FILE can be a database
table: 'postgres://host/db?table=person', 'clickhouse://host/db?table=person' or
'sqlite:FILE?table=person'.`

// newInspectCommand returns "sdcdesk inspect", which describes a file without a terminal.
func newInspectCommand(p *program) *cobra.Command {
	var format formatFlags
	var asJSON, asHTML bool
	var patterns *identify.Patterns
	cmd := &cobra.Command{
		Use:     "inspect FILE",
		Short:   "Summarise a file and its disclosure risk",
		Long:    inspectHelp,
		Example: "  sdcdesk inspect survey.csv\n  sdcdesk inspect survey.csv --html > survey.html\n  sdcdesk inspect 'sqlite:survey.db?table=person'",
		Args:    takes(1, 1, "a file"),
		RunE: interruptible("", &format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if asJSON && asHTML {
				return badUsage("--json and --html cannot be combined")
			}
			data, err := format.read(ctx, cmd, args[0])
			if err != nil {
				return err
			}
			found, err := inspect.New(ctx, data, microdata.SuggestBy(data, patterns), p.measures)
			if err != nil {
				return err
			}
			form, name := report.Plain(), session.Called(args[0])
			if asHTML {
				form = report.HTML()
			}
			return show(cmd, asJSON, newInspectionObject(name, found), form(found.Page(name)))
		}),
	}
	addJSON(cmd, &asJSON)
	cmd.Flags().BoolVar(&asHTML, "html", false, "print an HTML page")
	addPatterns(cmd.Flags(), &patterns)
	format.add(cmd)
	return cmd
}

// inspectionObject is the description of a file in JSON.
type inspectionObject struct {
	File           string                 `json:"file"`
	Records        int                    `json:"records"`
	RolesFromFirst int                    `json:"roles_suggested_from_first_records"`
	Variables      []inspectedVariable    `json:"variables"`
	Identifiers    []string               `json:"direct_identifiers"`
	Weights        []string               `json:"possible_weights"`
	Households     []string               `json:"possible_households"`
	Duplicates     inspect.Duplicates     `json:"duplicated_records"`
	Keys           []string               `json:"keys"`
	Guessed        bool                   `json:"keys_by_number_of_categories"`
	Risk           *inspectedRisk         `json:"risk"` // null: no key variables
	Combinations   []inspectedCombination `json:"combinations"`
}

type inspectedVariable struct {
	Name     string `json:"variable"`
	Label    string `json:"label"`
	Type     string `json:"type"`
	Distinct int    `json:"distinct"`
	Missing  int    `json:"missing"`
	Alone    int    `json:"records_alone"`
	Constant bool   `json:"constant"`
	Unique   bool   `json:"unique"`
	Alike    int    `json:"alike"` // number of categories that differ from others only in case, spaces or the composition of accents
	Role     string `json:"suggested_role"`
	Reason   string `json:"reason"`
}

type inspectedRisk struct {
	Violators  []inspectedViolators `json:"violators"`
	Expected   float64              `json:"expected_reidentifications"`
	Global     float64              `json:"global_risk"`
	Highest    float64              `json:"highest_risk"`
	Households *float64             `json:"household_expected_reidentifications"` // null: none
	Measured   method.Members       `json:"measured,omitempty"`                   // results of other measures
}

type inspectedViolators struct {
	K       int `json:"k"`
	Records int `json:"records"`
}

type inspectedCombination struct {
	Variables []string `json:"variables"`
	Cells     int      `json:"occurring"`
	Alone     int      `json:"records_alone"`
	Below     int      `json:"records_below_3"`
}

func newInspectionObject(file string, r *inspect.Report) *inspectionObject {
	object := &inspectionObject{File: file, Records: r.Records, RolesFromFirst: r.Examined,
		Variables:   []inspectedVariable{},
		Identifiers: []string{}, Weights: []string{}, Households: []string{},
		Keys: append([]string{}, r.Scenario.Keys...), Guessed: r.Guessed,
		Combinations: []inspectedCombination{}}
	for i := range r.Variables {
		v := &r.Variables[i]
		object.Variables = append(object.Variables, inspectedVariable{v.Name, v.Label, v.Type(), v.Distinct,
			v.Missing, v.Alone,
			v.Distinct == 1 && v.Missing == 0, r.Records > 1 && v.Alone == r.Records, v.Alike, string(v.Role), v.Reason})
	}
	for _, v := range r.Identifiers() {
		object.Identifiers = append(object.Identifiers, v.Name)
	}
	for _, s := range r.Possible {
		if s.Role == microdata.RoleWeight {
			object.Weights = append(object.Weights, s.Variable)
		} else {
			object.Households = append(object.Households, s.Variable)
		}
	}
	object.Duplicates = r.Duplicates
	object.Risk = riskObject(r)
	for size := r.Sizes; size > 0; size-- {
		for _, c := range r.Top(size, inspect.MostShown) {
			object.Combinations = append(object.Combinations, inspectedCombination{c.Variables, c.Cells, c.Alone, c.Below})
		}
	}
	return object
}

func riskObject(r *inspect.Report) *inspectedRisk {
	if r.Risk == nil {
		return nil
	}
	object := &inspectedRisk{Expected: r.Risk.Expected, Global: r.Risk.Global, Highest: r.Risk.HighestRisk(),
		Measured: r.Measured.Summary()}
	for _, v := range r.Risk.Violators {
		object.Violators = append(object.Violators, inspectedViolators{v.K, v.Count})
	}
	if h := r.Risk.Households; h != nil {
		object.Households = &h.Expected
	}
	return object
}
