// Package keys builds the key table of a dataset, on which all figures of categorical key variables are based, and
// computes frequencies from it.
//
// A key pattern, or key, is a combination of values of the key variables, with missing as a value of its own
// (literature: equivalence class). The table holds, for each distinct key, its codes, the number of its records
// and the sum of their weights, and, for each row, the number of its key. There are few keys compared with
// records; a recode of a variable maps keys to keys (Regroup).
//
//	table, err := keys.New(ctx, columns, weights)
//	frequencies, err := table.Frequencies(ctx, microdata.RuleDefault, 1)
//	fmt.Println(table.Violators(frequencies, 3), "records are in groups of less than 3")
//
// A table can also be built from groups, the rows of a GROUP BY, without the records: see Groups and FromGroups.
// Neighbours returns the keys that differ from a given one in at most one variable; an Agreement computes from
// them its frequency after a change. Compatible counts the compatible records of all keys.
//
// # The five rules
//
// Two keys are compatible if on every key variable they are equal or at least one of them is missing. A key is
// complete if it has no missing value.
//
//   - default, with alpha in [0,1]: a complete key counts its own records and
//     alpha times the incomplete records that are compatible; an incomplete
//     key counts its own records, the compatible complete ones and alpha times
//     the other compatible incomplete ones. A key with every value missing
//     counts all records, whatever alpha is.
//   - conservative: default with alpha 0.
//   - category-size: a complete key counts its own records and, for each
//     compatible incomplete record, the product of the shares of the key's
//     categories in all records, over the variables missing in the record.
//     An incomplete key counts like default with alpha 1.
//   - conservative-2: a complete key counts its own records; an incomplete one
//     counts the compatible records, but it is safe at k only if k records
//     have the identical key.
//   - own-category: every key counts its own records, with missing as a
//     category.
//
// Population frequencies follow the same rules with weights in place of counts. Templ, Statistical Disclosure
// Control for Microdata, 2017, 3.2.2 and 4.2.2.1.
//
// # Exactness
//
// Weights are summed as integer multiples of a unit (a power of ten if all weights are decimals of up to nine
// places, else a power of two), so a sum does not depend on the order of its terms: a regrouped table equals the
// table of the regrouped columns to the last bit, with any number of processors.
package keys
