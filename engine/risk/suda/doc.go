// Package suda finds special uniques: the minimal sample uniques (MSUs) of every record, and scores of its risk
// computed from them.
//
// An MSU of a record is a set of key variables on which the record is unique, while on every proper subset it
// shares its values with another record. A missing value is part of no MSU. The fewer variables an MSU has, and
// the more MSUs a record has, the riskier the record is. [Elliot, Manning and Ford 2002; Manning, Haglin and Keane
// 2008, A recursive search algorithm for statistical disclosure assessment]
//
//	found, err := suda.Find(ctx, table, suda.Options{Fraction: 0.01}, nil)
//	fmt.Println(found.Score(key), found.DIS(key), found.Uniques(key))
//
// The search works on key patterns. Patterns that agree on a set of variables form a group, which a further
// variable partitions. A pattern that is the only one in its part is unique there and leaves the search; the MSUs
// of small groups follow directly from the variables on which their patterns differ; and groups in which every
// pattern has several records are dropped.
package suda
