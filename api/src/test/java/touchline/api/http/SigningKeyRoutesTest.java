package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.DatabaseDump;
import touchline.api.domain.Scope;

final class SigningKeyRoutesTest {
    private static final String KEYS = "/live/v1/signing-keys";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private JsonNode created() {
        TestReply reply = api.post(KEYS, null);
        assertEquals(200, reply.status(), reply::text);
        return reply.data();
    }

    @Test
    void create_privateKey_isBase64OfThePemOfA2048BitKey() throws Exception {
        JsonNode key = created();

        byte[] pem = Base64.getDecoder().decode(key.get("private_key").textValue());
        List<String> lines = new String(pem, StandardCharsets.US_ASCII).lines().toList();
        assertEquals("-----BEGIN PRIVATE KEY-----", lines.getFirst());
        assertEquals("-----END PRIVATE KEY-----", lines.getLast());
        String body = String.join("", lines.subList(1, lines.size() - 1));
        assertTrue(lines.stream().allMatch(line -> line.length() <= 64));
        RSAPrivateCrtKey parsed =
                (RSAPrivateCrtKey)
                        KeyFactory.getInstance("RSA")
                                .generatePrivate(
                                        new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
        assertEquals(2048, parsed.getModulus().bitLength());
        assertEquals(65537, parsed.getPublicExponent().intValueExact());
        assertTrue(key.get("id").textValue().matches("key_[A-Za-z0-9]{17,}"));
        assertEquals(api.now.getEpochSecond(), key.get("created_at").longValue());
        assertTrue(key.get("last_used_at").isNull());
    }

    @Test
    void privateKey_afterCreation_isNowhere() {
        JsonNode key = created();
        String id = key.get("id").textValue();

        for (String path : List.of(KEYS, KEYS + "/" + id)) {
            assertFalse(api.get(path).text().contains("private"), path);
        }
        assertEquals(id, api.get(KEYS + "/" + id).data().get("id").textValue());
        String tables = DatabaseDump.of(api.database);
        assertTrue(tables.contains(id), "the database was read");
        assertFalse(tables.contains(key.get("private_key").textValue().substring(100, 160)));
        byte[] pem = Base64.getDecoder().decode(key.get("private_key").textValue());
        String middle = new String(pem, StandardCharsets.US_ASCII).lines().toList().get(5);
        assertFalse(tables.contains(middle));
    }

    @Test
    void create_withIdempotencyKey_replaysWithoutThePrivateKey() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "k1");

        JsonNode first = api.call("POST", KEYS, null, headers).data();
        JsonNode again = api.call("POST", KEYS, null, headers).data();

        assertTrue(first.has("private_key"));
        assertFalse(again.has("private_key"));
        assertEquals(first.get("id"), again.get("id"));
        assertEquals(1, api.get(KEYS).json().get("total").intValue());
        assertFalse(DatabaseDump.of(api.database).contains("private_key"));
    }

    @Test
    void list_pages_areNewestFirst() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.addFirst(created().get("id").textValue());
        }
        assertNotEquals(ids.get(0), ids.get(1));

        JsonNode page = api.get(KEYS + "?page=1&limit=2").json();

        assertEquals(ids.get(0), page.at("/data/0/id").textValue());
        assertEquals(ids.get(1), page.at("/data/1/id").textValue());
        assertEquals(3, page.get("total").intValue());
        assertTrue(page.get("has_more").booleanValue());
        JsonNode last = api.get(KEYS + "?page=2&limit=2").json();
        assertEquals(ids.get(2), last.at("/data/0/id").textValue());
        assertFalse(last.get("has_more").booleanValue());
        assertEquals(40002, api.get(KEYS + "?limit=0").code());
    }

    @Test
    void delete_thenGet_is404() {
        String key = KEYS + "/" + created().get("id").textValue();

        assertEquals(0, api.delete(key).code());
        assertEquals(40401, api.delete(key).code());
        assertEquals(40401, api.get(key).code());
    }

    @Test
    void scopes_readAndWrite_areAskedFor() {
        Map<String, String> reader =
                Map.of("Authorization", api.bearer(Scope.LIVE_READ, Scope.SYSTEM));
        String key = KEYS + "/" + created().get("id").textValue();

        assertEquals(0, api.call("GET", KEYS, null, reader).code());
        assertEquals(0, api.call("GET", key, null, reader).code());
        assertEquals(40301, api.call("POST", KEYS, null, reader).code());
        assertEquals(40301, api.call("DELETE", key, null, reader).code());
        assertEquals(40101, api.call("POST", KEYS, null, Map.of()).code());
    }
}
