package touchline.api.events;

import java.net.URI;
import touchline.api.domain.WebhookSecrets;

/** Where an endpoint's deliveries go, and what they are signed with. Immutable. */
record EndpointTarget(String endpoint, URI url, WebhookSecrets secrets) {}
