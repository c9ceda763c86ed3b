/** Traces of API calls, jobs and webhook deliveries. Media never passes through here. */
@NullMarked
package touchline.api.trace;

import org.jspecify.annotations.NullMarked;
