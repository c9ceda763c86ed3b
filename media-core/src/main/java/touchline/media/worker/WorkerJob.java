package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * One job for a worker process.
 *
 * @param kind which handler
 * @param body what it is given; no secrets, the child has none
 * @param timeout after which the process is killed
 */
public record WorkerJob(String kind, JsonNode body, Duration timeout) {}
