/**
 * What region servers and holders of filters say to each other: messages, replies, tokens and the
 * terms of trust.
 */
package io.hbaseindex.core.push;
