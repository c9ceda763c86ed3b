@NullMarked
package touchline.api.cluster.ownership;

import org.jspecify.annotations.NullMarked;
