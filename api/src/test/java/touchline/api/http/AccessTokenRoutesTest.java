package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;

final class AccessTokenRoutesTest {
    private static final String TOKENS = "/system/v1/access-tokens";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void create_thenUse_worksAsBearerAndBasicUntilDeleted() {
        JsonNode token =
                api.post(TOKENS, "{\"name\": \"viewer\", \"scopes\": [\"live:read\"]}").data();
        String id = token.get("id").textValue();
        String secret = token.get("secret").textValue();
        String streams = "/live/v1/live-streams";

        assertEquals(id + "." + secret, token.get("token").textValue());
        for (String credential :
                List.of("Bearer " + id + "." + secret, ApiFixture.basic(id, secret))) {
            Map<String, String> headers = Map.of("Authorization", credential);
            assertEquals(0, api.call("GET", streams, null, headers).code());
            assertEquals(40301, api.call("POST", streams, "{}", headers).code());
        }
        assertEquals(0, api.delete(TOKENS + "/" + id).code());
        Map<String, String> gone = Map.of("Authorization", "Bearer " + id + "." + secret);
        assertEquals(40102, api.call("GET", streams, null, gone).code());
        assertEquals(40401, api.delete(TOKENS + "/" + id).code());
    }

    @Test
    void list_showsNoSecrets() {
        JsonNode made =
                api.post(TOKENS, "{\"name\": \"a\", \"scopes\": [\"system\", \"live:read\"]}")
                        .data();

        TestReply listed = api.get(TOKENS);

        assertFalse(listed.text().contains(made.get("secret").textValue()));
        assertFalse(listed.text().contains("secret"));
        assertEquals("a", listed.data().at("/0/name").textValue());
        assertEquals("[\"live:read\",\"system\"]", listed.data().at("/0/scopes").toString());
        assertTrue(listed.data().at("/0/expires_at").isNull());
    }

    @Test
    void list_showsWhenATokenWasLastUsed() {
        Map<String, String> headers = Map.of("Authorization", api.bearer(Scope.LIVE_READ));
        assertTrue(api.get(TOKENS).data().at("/0/last_used_at").isNull());

        api.call("POST", "/live/v1/live-streams", "{}", headers);
        assertEquals(
                api.now.getEpochSecond(),
                api.get(TOKENS).data().at("/0/last_used_at").longValue(),
                "lacks the scope, but is a good credential");
    }

    @Test
    void create_withScopesTheCallerLacks_isForbidden() {
        Map<String, String> headers = Map.of("Authorization", api.bearer(Scope.SYSTEM));
        String wider = "{\"name\": \"a\", \"scopes\": [\"system\", \"live:write\"]}";
        String same = "{\"name\": \"a\", \"scopes\": [\"system\"]}";

        assertEquals(40301, api.call("POST", TOKENS, wider, headers).code());
        assertEquals(0, api.call("POST", TOKENS, same, headers).code());
    }

    @Test
    void token_afterItsExpiry_isRefused() {
        long expiry = api.now.getEpochSecond() + 60;
        JsonNode token =
                api.post(
                                TOKENS,
                                "{\"name\": \"a\", \"scopes\": [\"system\"], \"expires_at\": "
                                        + expiry
                                        + "}")
                        .data();
        Map<String, String> headers =
                Map.of("Authorization", "Bearer " + token.get("token").textValue());

        assertEquals(expiry, token.get("expires_at").longValue());
        assertEquals(0, api.call("GET", TOKENS, null, headers).code());
        api.now = api.now.plusSeconds(60);
        assertEquals(40102, api.call("GET", TOKENS, null, headers).code());
    }

    @Test
    void create_withBadInput_namesTheFields() {
        assertEquals(List.of("name", "scopes"), api.post(TOKENS, "{}").badFields());
        assertEquals(40003, api.post(TOKENS, null).code());
        assertEquals(
                List.of("name", "scopes[0]", "scopes[1]", "expires_at"),
                api.post(
                                TOKENS,
                                """
                                {"name": " ", "scopes": ["root", 1], "expires_at": 1}
                                """)
                        .badFields());
        assertEquals(
                List.of("scopes", "expires_at"),
                api.post(TOKENS, "{\"name\": \"a\", \"scopes\": [], \"expires_at\": \"never\"}")
                        .badFields());
    }
}
