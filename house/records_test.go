package house_test

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byRecord are the packages that go through cells one by one because that is
// what they are for.
var byRecord = map[string]string{
	"engine/files/fileio":                  "reads and writes the cells of a file, as do the formats below it",
	"engine/internal/generated":            "makes files for tests",
	"engine/internal/golden":               "recounts record by record what other packages count by key",
	"engine/release/recount":               "counts a released file by itself, record by record",
	"engine/utility/inspect":               "looks for records that are equal",
	"engine/risk/linkage":                  "links records",
	"engine/risk/union":                    "links the records of two releases",
	"engine/risk/inference":                "asks the other records with the same value of any variable",
	"engine/utility/loss":                  "compares the cells of records",
	"engine/data/notation":                 "asks a condition of every record",
	"engine/perturbation/microaggregation": "parts records into groups",
	"engine/perturbation/numeric":          "gives every record another number",
	"engine/perturbation/pram":             "draws a value for every record",
	"engine/data/draws":                    "gives every record what it draws",
	"engine/release/streamed":              "follows every record of a file that is read in passes",
	"engine/release/paged":                 "finds single records for who looks at them",
	"engine/files/database":                "writes every record of a protected table",
	"engine/release/check":                 "tells which cells masking left, and in which order records stand",
	"engine/preparation/prepare":           "takes, orders and converts records",
	"engine/utility/profile":               "describes a variable by its cells",
	"engine/utility/propensity":            "tells masked records from original ones",
	"engine/perturbation/rankswap":         "swaps values between records",
	"engine/perturbation/recordswap":       "swaps the places of households",
	"engine/perturbation/shuffle":          "draws an order of the records",
	"engine/perturbation/synthesis":        "makes a value for every record",
	"tui":                                  "shows records",
	"views/data":                           "shows records",
	"tui/pages":                            "shows records",
}

// touching are the functions of the other packages that touch single records or
// rows, by why they do. All others go by levels, by distinct keys and by their
// numbers of records, so that they work on what a GROUP BY returns.
var touching = map[string][]string{
	"makes a key table of rows, or gathers what their keys have": {
		"engine/risk.Assessment.rankRecords", "engine/risk.householdRisks", "engine/risk.OfRecords",
		"engine/risk/diversity.Spread.byKey",
		"engine/data/keys.Table.FirstRows", "engine/risk.Assessment.HouseholdRiskOfKeys", "views.violatingRows",
	},
	"answers for a record that somebody asks about": {
		"engine/risk.Assessment.Explain", "engine/risk.Assessment.recordOf", "engine/risk.Explanation.populationSteps",
		"engine/risk.Assessment.Frequency", "engine/risk.Assessment.Risk",
		"engine/risk.Assessment.Violates", "engine/risk.Assessment.Blanks", "engine/data/keys.Table.Sharing",
		"engine/measure.RankOf", "engine/recoding/suggest.Protect", "engine/risk/suda.Result.explainRecord",
		"engine/risk/diversity.LDiversity.Explain", "engine/suppression/combinations.RiskyCells.Explain",
		"engine/risk/diversity.TCloseness.Explain",
	},
	"reads or hashes the cells of a column": {
		"engine/data/microdata.Column.AppendText", "engine/data/microdata.Column.Differs",
		"engine/data/microdata.Column.Float", "engine/data/microdata.Column.CalledByText", "engine/data/microdata.Column.RowsAlone", "engine/data/microdata.Column.Sampled", "engine/data/microdata.Column.Times",
		"engine/data/microdata.Column.Missing", "engine/data/microdata.Column.countMissing",
		"engine/data/microdata.Column.Text",
		"engine/data/microdata.Column.present", "engine/data/microdata.noNumbers",
		"engine/data/microdata.Column.Floats", "engine/data/microdata.profile.lookAtNumbers",
		"engine/data/microdata.profile.lookAtTexts",
		"engine/data/microdata.Dataset.shared", "engine/data/microdata.Spelling.OfMissing",
		"engine/data/microdata.Column.SuppressedOf",
	},
	"says which records form a household, and what their members lose": {
		"engine/data/microdata.Households.Differing", "engine/data/microdata.Households.PartlyMissing",
		"engine/data/microdata.NewHouseholds", "engine/data/microdata.Households.countSizes",
		"engine/data/microdata.differences", "engine/data/microdata.fromCodes", "engine/data/microdata.fromGroups",
		"engine/suppression/suppress.RiskCurve.addHouseholds",
		"engine/suppression/suppress.households.cellsOf", "engine/suppression/suppress.households.spreadOver",
		"engine/suppression/suppress.households.kinds",
		"engine/suppression/suppress.households.sharing", "engine/suppression/suppress.sharing.each",
		"engine/suppression/suppress.touched",
	},
	"turns what keys lose into cells of rows": {
		"engine/suppression/suppress.Blanking.Blank", "engine/suppression/suppress.file.split",
		"engine/suppression/suppress.file.deal",
		"engine/suppression/suppress.withinSearch.lost", "engine/recoding/mondrian.categoriesOf",
		"engine/recoding/mondrian.partition.generalise",
	},
	"asks the key of a group, not of a record": {
		"engine/suppression/suppress.projected",
	},
	"looks up records that somebody names by their numbers": {
		"engine/method.Input.Records", "engine/suppression/suppress.Cells.Apply",
	},
	"takes records in the order of the file, as sdcMicro does": {
		"engine/suppression/suppress.file.firstRows", "engine/suppression/suppress.solving.newSDCMicroOrder",
		"engine/suppression/suppress.sdcMicroOrder.found", "engine/suppression/suppress.sdcMicroOrder.violators",
	},
	"writes the figures of records, counts the bytes of a column, or cells that two versions have differently": {
		"session.recordsOfTwo", "session.cellValue", // of a hundred records
		"session.writeRecords", "session.columnBytes", "session.Comparison.cells", "session.VariableOfTwo.add", "session.VariableOfTwo.valued",
		"session.shared", "session.partsOf", "session.sharedParts", // the latter by groups
		"engine/suppression/suppress.BecameMissing", "lesson.changed",
	},
	"shows a record that somebody looks at, or a sample of cells to lay them out": {
		"views.CellText", "views.CellInWords", "views.SourceRecord", "views.sampledWidth", "views/pages.Record.Analysis",
		"views/pages.Record.uniques",
		"views/pages.recordAnalysis.optionsOf", "views/pages.protectionOption.take", "views/pages.Inspector.facts",
	},
	"asks a column, or the columns that a table is sorted by, not a record": {
		"views.State.MarkLegend", "views/draw.ChangeMark", "views/draw.Sorting.Turn", "views/draw.Sorting.Add",
		"views/draw.Sorting.Mark",
		"views/keys.DistinctKeys.resort", "views/pram.candidates",
	},
	"puts records into order, or asks in which they stand": {
		"session.inSourceOrder", "engine/data/microdata.SortByColumn",
	},
	"compares two columns of a recode, or of a file and what it was made of": {
		"session.agreement",
		"engine/method.Regrouping.changedRecords", "engine/data/microdata.Codes.Blocks",
	},
}

// recordCalls are the methods that give what a single row has, by their number
// of arguments.
var recordCalls = map[string]int{
	"RowKeys": 0, "Origin": 0, "StoredAsNumbers": 0, "Uint8": 0,
	"At": 1, "Key": 1, "Missing": 1, "Float": 1, "Text": 1, "RecordsAt": 1, "SourceRecord": 1,
	"AppendText": 2, "Differs": 2, "Pairs": 2,
}

// rowCounts are the methods that give numbers of rows.
var rowCounts = []string{"Len", "Rows", "Records"}

// touchesRecords reports whether a function asks for single rows: by one of
// recordCalls, or in a loop over their number.
func touchesRecords(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok {
				arguments, touches := recordCalls[method.Sel.Name]
				found = found || touches && len(n.Args) == arguments
			}
		case *ast.RangeStmt:
			found = found || countsRows(n.X)
		case *ast.ForStmt:
			if condition, ok := n.Cond.(*ast.BinaryExpr); ok {
				found = found || countsRows(condition.Y) && condition.Op == token.LSS
			}
		}
		return !found
	})
	return found
}

func countsRows(expression ast.Expr) bool {
	call, ok := expression.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.Contains(rowCounts, method.Sel.Name)
}

// functionName returns the name of a function with its package and receiver.
func functionName(folder string, function *ast.FuncDecl) string {
	name := function.Name.Name
	if function.Recv != nil {
		receiver := function.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		if identifier, ok := receiver.(*ast.Ident); ok {
			name = identifier.Name + "." + name
		}
	}
	return folder + "." + name
}

func TestSingleRecordsAreTouchedInFewPlaces(t *testing.T) {
	why := map[string]string{}
	for reason, functions := range touching {
		for _, function := range functions {
			why[function] = reason
		}
	}
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if _, all := byRecord[folder]; all || strings.HasPrefix(folder, "engine/files/") {
			return
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Body == nil || !touchesRecords(function.Body) {
				continue
			}
			name := functionName(folder, function)
			if _, known := why[name]; !known {
				t.Errorf("%s touches single records: let it go by the key table, or say in this test why it cannot", name)
			}
			delete(why, name)
		}
	})
	if len(why) > 0 {
		t.Errorf("these do not touch single records any more, or are gone: %s",
			strings.Join(slices.Sorted(maps.Keys(why)), ", "))
	}
}
