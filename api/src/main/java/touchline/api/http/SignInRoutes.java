package touchline.api.http;

import io.helidon.http.Method;
import java.util.List;
import java.util.Optional;
import touchline.api.access.Credential;
import touchline.api.access.SignInCode;

/**
 * {@code POST /system/v1/sign-in}: exchanges a one-time code for a token. Mounted only in a server
 * that issued a code, so it is no part of the OpenAPI document. Any thread.
 */
final class SignInRoutes {
    static final String PATH = "/system/v1/sign-in";

    private static final int MAX_CODE_BYTES = 256;

    private final SignInCode code;
    private final AccessFilter access;

    /**
     * @param access counts wrong codes as failed authentications
     */
    SignInRoutes(SignInCode code, AccessFilter access) {
        this.code = code;
        this.access = access;
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.open(Method.POST, PATH, this::signIn));
    }

    private ApiReply signIn(ApiRequest request) {
        JsonFields body = request.body();
        body.require("code");
        Optional<String> text = body.text("code", MAX_CODE_BYTES);
        request.problems().throwIfAny();
        Credential credential =
                text.flatMap(code::exchange).orElseThrow(() -> access.failed(request));
        return ApiReply.ok(Json.object().put("token", credential.bearerText()));
    }
}
