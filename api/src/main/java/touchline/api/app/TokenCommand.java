package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code token}: manages access tokens of the running server through its API, with the admin
 * secret.
 */
@Command(
        name = "token",
        description = "Creates, lists and revokes access tokens of the running server.")
final class TokenCommand {
    private static final String PATH = "/system/v1/access-tokens";
    private static final int PAGE = 100;

    @Mixin private ServerOption server = new ServerOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Prints the new token alone on standard output, so that a script can take it. */
    @Command(name = "create", description = "Creates a token.")
    int create(
            @Option(names = "--name", required = true, paramLabel = "NAME") String name,
            @Option(
                            names = "--scopes",
                            required = true,
                            split = ",",
                            paramLabel = "SCOPE",
                            description = "such as live:read,live:write; see docs/api.md")
                    List<String> scopes,
            @Option(
                            names = "--expires",
                            paramLabel = "WHEN",
                            description = "30d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z")
                    @Nullable String expires) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", name);
        scopes.forEach(body.putArray("scopes")::add);
        if (expires != null) {
            body.put("expires_at", Expiry.parse(expires, Clock.systemUTC()).getEpochSecond());
        }
        try (ApiClient client = server.client()) {
            JsonNode token = client.post(PATH, body).path("data");
            out().println(token.path("id").asText() + "." + token.path("secret").asText());
            spec.commandLine()
                    .getErr()
                    .println("This is shown once. Send it as: Authorization: Bearer <token>");
        }
        return 0;
    }

    @Command(name = "list", description = "Lists the tokens.")
    int list() {
        String format = "%-24s %-20s %-20s %-20s %s%n";
        try (ApiClient client = server.client()) {
            boolean more = true;
            for (int page = 1; more; page++) {
                JsonNode reply = client.get(PATH + "?limit=" + PAGE + "&page=" + page);
                if (page == 1) {
                    out().printf(format, "ID", "NAME", "EXPIRES", "LAST USED", "SCOPES");
                }
                for (JsonNode token : reply.path("data")) {
                    out().printf(
                                    format,
                                    token.path("id").asText(),
                                    token.path("name").asText(),
                                    time(token.path("expires_at")),
                                    time(token.path("last_used_at")),
                                    scopes(token.path("scopes")));
                }
                more = reply.path("has_more").asBoolean(false);
            }
        }
        out().flush();
        return 0;
    }

    @Command(name = "revoke", description = "Revokes a token.")
    int revoke(@Parameters(paramLabel = "ID") String id) {
        try (ApiClient client = server.client()) {
            client.delete(PATH + "/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
        }
        out().println("revoked " + id);
        out().flush();
        return 0;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static String time(JsonNode seconds) {
        return seconds.isNumber() ? Instant.ofEpochSecond(seconds.asLong()).toString() : "never";
    }

    private static String scopes(JsonNode scopes) {
        StringBuilder text = new StringBuilder();
        for (JsonNode scope : scopes) {
            text.append(text.isEmpty() ? "" : ",").append(scope.asText());
        }
        return text.toString();
    }
}
