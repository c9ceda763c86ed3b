package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Session;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Runs the curl examples of docs/api.md in their order, and holds its tables against the code. */
final class ApiGuideTest {
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /** A curl command as it is written. */
    private record Curl(
            String method, String target, @Nullable String body, Map<String, String> headers) {}

    @Test
    void examples_runInOrder_allSucceed() throws IOException {
        List<String> commands = commands();
        assertTrue(commands.size() >= 20, commands.toString());
        try (ApiFixture api = new ApiFixture()) {
            String asset = api.asset().id().value();
            String session = runningSession(api).value();
            String id = "";
            Set<String> used = new TreeSet<>();
            for (String command : commands) {
                Curl curl =
                        parse(
                                command.replace("$ID", id)
                                        .replace("$ASSET_ID", asset)
                                        .replace("$SESSION_ID", session));
                TestReply reply =
                        api.call(curl.method(), curl.target(), curl.body(), curl.headers());
                assertTrue(reply.status() < 300, () -> command + "\n" + reply.text());
                used.add(curl.method() + " " + curl.target().replaceFirst("\\?.*", ""));
                if (curl.method().equals("POST") && curl.target().endsWith("/live-streams")) {
                    id = reply.data().get("id").textValue();
                }
            }
            assertEquals(commands.size(), used.size(), "every example shows another call");
        }
    }

    private static SessionId runningSession(ApiFixture api) {
        SessionId session = new SessionId("ses_running");
        StreamId stream = new StreamId(api.create("{}").get("id").textValue());
        api.store(Session.started(session, stream, api.now));
        api.live.positionsUs.put(session, 60_000_000L);
        return session;
    }

    @Test
    void scopeTable_namesEveryScope() throws IOException {
        String guide = guide();
        for (touchline.api.domain.Scope scope : touchline.api.domain.Scope.values()) {
            assertTrue(guide.contains("`" + scope.wireName() + "`"), scope.wireName());
        }
    }

    private static String guide() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path own = here.resolve("docs/api.md");
        return Files.readString(Files.exists(own) ? own : here.resolveSibling("docs/api.md"));
    }

    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(guide());
        while (blocks.find()) {
            for (String part : blocks.group(1).replace("\\\n", " ").split("\n(?=curl )", -1)) {
                if (part.startsWith("curl ")) {
                    commands.add(part.strip());
                }
            }
        }
        return commands;
    }

    private static Curl parse(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            String word = matcher.group();
            // Variables stand outside of single quotes, in the middle of a word.
            words.add(
                    word.startsWith("\"") ? word.replaceAll("^\"|\"$", "") : word.replace("'", ""));
        }
        String method = "GET";
        String target = "";
        @Nullable String body = null;
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "-X" -> method = words.get(++i);
                case "-d" -> body = words.get(++i);
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    headers.put(header[0], header[1].replace("Bearer $TOKEN", ApiFixture.ADMIN));
                }
                default -> {
                    assertTrue(word.startsWith("$API/"), () -> word + " in " + command);
                    target = word.substring("$API".length());
                }
            }
        }
        return new Curl(method, target, body, headers);
    }
}
