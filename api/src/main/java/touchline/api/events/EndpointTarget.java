package touchline.api.events;

import java.net.URI;
import touchline.api.domain.WebhookSecrets;

/** The address of an endpoint and the secrets that sign its deliveries. Immutable. */
record EndpointTarget(String endpoint, URI url, WebhookSecrets secrets) {}
