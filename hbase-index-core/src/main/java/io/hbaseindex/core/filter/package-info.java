/** Set membership filters: who may hold a value, and who certainly does not. */
package io.hbaseindex.core.filter;
