package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webclient.http1.Http1ClientResponse;
import io.helidon.webserver.testing.junit5.DirectClient;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.access.Credential;
import touchline.api.access.SignInCode;
import touchline.config.ServerConfig;

final class SignInRoutesTest {
    private static final String CODE = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

    private ApiFixture api;
    private DirectClient client;

    @BeforeEach
    void open() {
        ServerConfig config = TestConfig.of(false);
        api = new ApiFixture(config);
        SignInCode code =
                new SignInCode(
                        CODE, new Credential("admin", ApiFixture.ADMIN_SECRET), () -> api.now);
        client =
                new DirectClient(
                        ControlApi.routing(
                                        config,
                                        api.dependencies,
                                        ControlApi.console(config, "console-test"),
                                        Optional.of(code))
                                .build());
    }

    @AfterEach
    void close() {
        client.closeResource();
        api.close();
    }

    @Test
    void signIn_rightCode_givesATokenThatWorks_once() throws Exception {
        JsonNode reply = post("{\"code\":\"" + CODE + "\"}");

        String token = reply.path("data").path("token").asText();
        assertEquals(ApiFixture.ADMIN, "Bearer " + token);
        assertEquals(40102, post("{\"code\":\"" + CODE + "\"}").path("code").asInt());
    }

    @Test
    void signIn_wrongCode_isAFailedAuthentication() throws Exception {
        assertEquals(40102, post("{\"code\":\"wrong\"}").path("code").asInt());
        int code = 0;
        // More than ten in a second, however the seconds fall.
        for (int i = 0; i < 200 && code != 42901; i++) {
            code = post("{\"code\":\"wrong\"}").path("code").asInt();
        }
        assertEquals(42901, code);
    }

    @Test
    void signIn_withoutCode_namesTheField() throws Exception {
        JsonNode reply = post("{}");

        assertEquals(40003, reply.path("code").asInt());
        assertEquals("code", reply.path("errors").path(0).path("field").asText());
    }

    @Test
    void signIn_ofAForeignSite_isRefused() throws Exception {
        try (Http1ClientResponse response =
                client.method(Method.POST)
                        .uri(SignInRoutes.PATH)
                        .header(HeaderNames.ORIGIN, "http://evil.test")
                        .header(HeaderNames.CONTENT_TYPE, "application/json")
                        .submit("{\"code\":\"" + CODE + "\"}")) {
            assertEquals(403, response.status().code());
        }
        assertEquals(0, post("{\"code\":\"" + CODE + "\"}").path("code").asInt());
    }

    @Test
    void serverWithoutACode_hasNoSuchRoute() {
        assertEquals(
                40401, api.call("POST", SignInRoutes.PATH, "{\"code\":\"x\"}", Map.of()).code());
    }

    private JsonNode post(String body) throws Exception {
        try (Http1ClientResponse response =
                client.method(Method.POST)
                        .uri(SignInRoutes.PATH)
                        .header(HeaderNames.CONTENT_TYPE, "application/json")
                        .submit(body)) {
            return new ObjectMapper().readTree(response.as(String.class));
        }
    }
}
