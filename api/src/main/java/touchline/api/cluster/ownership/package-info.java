/**
 * Which node owns a stream: pure functions from a state, a message and a time to the next state and
 * actions. No input or output, no thread, no clock; the cluster runs the actions and reports back.
 *
 * <p>Read in this order: {@link touchline.api.cluster.ownership.OwnerRow} (what the database
 * holds), {@link touchline.api.cluster.ownership.PublishAttempt} (an encoder at the door of a
 * node), {@link touchline.api.cluster.ownership.Takeover} (which claim wins), {@link
 * touchline.api.cluster.ownership.OwnedStream} (the owner's side), {@link
 * touchline.api.cluster.ownership.NodeStanding} (may this node publish at all). Tables of states
 * and messages: {@code docs/cluster-ownership.md}.
 *
 * <p>Two kinds of time, never compared with each other: <em>database time</em> (milliseconds since
 * 1970 by the database's clock, in rows and answers) and <em>node time</em> (milliseconds of one
 * node's monotonic clock, any origin).
 */
@NullMarked
package touchline.api.cluster.ownership;

import org.jspecify.annotations.NullMarked;
