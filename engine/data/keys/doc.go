// Package keys builds the key table of a dataset, the heart of all figures on
// categorical key variables, and counts frequencies with it.
//
// A key is one combination of values of the key variables, missing being a
// value of its own. The table holds for each distinct key its codes, the
// number of its records and the sum of their weights, and for each row, a record
// or a group, the number of its key. Distinct keys are few compared with records; a recode of
// one variable maps distinct keys to distinct keys (Regroup).
//
//	table, err := keys.New(ctx, columns, weights)
//	frequencies, err := table.Frequencies(ctx, microdata.RuleDefault, 1)
//	fmt.Println(table.Violators(frequencies, 3), "records are in groups of less than 3")
//
// The same table comes from groups, the rows of a GROUP BY, without a record in
// memory: see Groups and FromGroups. Neighbours finds the keys that one variable
// tells from a given one, of which an Agreement gives its frequency after a
// change; Compatible counts the compatible records of all keys.
//
// # The five rules
//
// Two keys are compatible when on every key variable they are equal or at
// least one of them is missing. A key is complete when nothing is missing.
//
//   - default, with alpha in [0,1]: a complete key counts its own records and
//     alpha times the incomplete records that are compatible; an incomplete
//     key counts its own records, the compatible complete ones and alpha times
//     the other compatible incomplete ones. A key that is missing everywhere
//     counts all records, whatever alpha is.
//   - conservative: default with alpha 0.
//   - category-size: a complete key counts its own records and, of each
//     compatible incomplete record, the product over the variables missing
//     there of the share that this key's category has in all records. An
//     incomplete key counts as by default with alpha 1.
//   - conservative-2: a complete key counts its own records; for an incomplete
//     one the compatible records are reported, but it is safe at k only if k
//     records share the identical key.
//   - own-category: every key counts its own records: missing is a category.
//
// Population frequencies follow the same rule with weights in place of counts.
// Templ, Statistical Disclosure Control for Microdata, 2017, 3.2.2 and 4.2.2.1.
//
// # Exactness
//
// Weights are summed as whole multiples of a unit (a power of ten where all
// weights are decimals of up to nine places, else a power of two), so a sum
// does not depend on the order of its terms: a regrouped table equals the
// table of the regrouped columns to the last bit, on any number of processors.
package keys
